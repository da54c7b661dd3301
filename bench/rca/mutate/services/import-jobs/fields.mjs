export function parseDay(text) {
  const [day, month, year] = text.split('.').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1) throw new RangeError(`not a day: ${text}`);
  return date.toISOString().slice(0, 10);
}

export function parseAmount(text) {
  const amount = Number.parseFloat(text.replaceAll('.', '').replace(',', '.'));
  if (Number.isNaN(amount)) throw new TypeError(`not an amount: ${text}`);
  return amount;
}
