export function currencies(url, { base, maxAgeMs }) {
  let cached = null;

  async function load() {
    const response = await fetch(url);
    const { rates, date } = await response.json();
    cached = { at: Date.now(), date, table: new Map(rates.map((each) => [each.currency, each])) };
    return cached;
  }

  return async function convert(cents, currency) {
    if (currency === base) return { cents, date: null };
    const { table, date } = cached && Date.now() - cached.at < maxAgeMs ? cached : await load();
    const { rate, decimals } = table.get(currency);
    const factor = 10 ** (decimals - 2);
    const converted = Math.round(cents * rate * factor);
    if (!Number.isSafeInteger(converted)) throw new RangeError(`${cents} cents are ${converted} ${currency}`);
    return { cents: converted, date };
  };
}
