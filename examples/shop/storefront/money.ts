/** Cents, and the currency by its ISO 4217 code. */
export interface Money {
  readonly cents: number;
  readonly currency: string;
}

/** As people read it: `€12.90`. */
export function formatMoney(money: Money): string {
  return new Intl.NumberFormat("en", { style: "currency", currency: money.currency }).format(money.cents / 100);
}
