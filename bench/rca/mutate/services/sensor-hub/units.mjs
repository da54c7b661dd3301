export const units = {
  celsius: { symbol: '°C', toBase: (value) => value, base: 'celsius' },
  fahrenheit: { symbol: '°F', toBase: (value) => ((value - 32) * 5) / 9, base: 'celsius' },
  percent: { symbol: '%', toBase: (value) => value / 100, base: 'ratio' },
};

export function convert(value, unit) {
  const base = unit.toBase(value);
  return { value: base, base: unit.base };
}
