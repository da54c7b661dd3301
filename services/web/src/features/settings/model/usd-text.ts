const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

/** Returns an amount in US dollars, for people. */
export function usdText(amount: number): string {
  return usd.format(amount);
}
