const scale = 100n;

export function parseMoney(text: string): bigint {
  const [whole = '', cents = ''] = text.split('.');
  return BigInt(whole) * scale + BigInt(cents.padEnd(2, '0'));
}

export function formatMoney(cents: bigint, currency: string): string {
  const sign = cents < 0n ? '-' : '';
  const positive = cents < 0n ? -cents : cents;
  const fraction = (positive % scale).toString().padStart(2, '0');
  return `${sign}${positive / scale}.${fraction} ${currency.toUpperCase()}`;
}
