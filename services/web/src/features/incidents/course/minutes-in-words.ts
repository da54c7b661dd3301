import { sentenceTime } from "../../../lib/times.ts";

/** Events per minute, and the time of each minute in milliseconds since 1970. */
export interface Minutes {
  readonly times: readonly number[];
  readonly counts: readonly number[];
}

/**
 * Returns what a chart of events per minute shows, for people who can't see it; `change` is the minute from which the
 * rate is different.
 */
export function minutesInWords({ times, counts }: Minutes, change: number | null, now: number): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const top = Math.max(0, ...counts);
  const changedAt = new Date(times[change ?? 0] ?? 0).toISOString();
  const turn = change === null ? "" : `; the rate changes at ${sentenceTime(changedAt, now)}`;
  return `${total} events in ${counts.length} minutes, at most ${top} in one${turn}`;
}

/** Returns events per minute: rounded from 10 on, otherwise with one decimal. */
export function rateText(perMinute: number): string {
  return perMinute >= 10 || perMinute === 0 ? String(Math.round(perMinute)) : perMinute.toFixed(1);
}
