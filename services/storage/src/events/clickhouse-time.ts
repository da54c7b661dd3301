/** A time as ClickHouse reads a DateTime64(3, 'UTC') everywhere, parameters included: `2026-01-31 12:00:00.000`. */
export function clickHouseTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return `${text.slice(0, -14)} ${text.slice(-13, -1)}`;
}
