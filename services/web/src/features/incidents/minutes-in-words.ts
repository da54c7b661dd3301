/**
 * Returns what a chart of events per minute shows, for people who can't see it; `change` is the minute from which the
 * rate is different.
 */
export function minutesInWords(times: readonly number[], counts: readonly number[], change: number | null): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const top = Math.max(0, ...counts);
  const turn = change === null ? "" : `; the rate changes at ${new Date(times[change] ?? 0).toISOString()}`;
  return `${total} events in ${counts.length} minutes, at most ${top} in one${turn}`;
}

/** Returns events per minute: rounded from 10 on, otherwise with one decimal. */
export function rateText(perMinute: number): string {
  return perMinute >= 10 || perMinute === 0 ? String(Math.round(perMinute)) : perMinute.toFixed(1);
}
