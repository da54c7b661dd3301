import type { Service } from "@whence/protocol";
import { dayHours, hourText } from "../../lib/day-hours.ts";

export interface RateHour {
  /** The start of the hour. */
  readonly at: number;
  readonly requests: number;
  readonly failed: number;
}

/**
 * Returns every hour of the last day, including those without requests, oldest first; null when requests aren't
 * counted.
 */
export function rateHours(answers: Service["answers"], now: number): RateHour[] | null {
  if (answers.length === 0) return null;
  const counted = new Map(answers.map((hour) => [Date.parse(hour.hour), hour]));
  return dayHours(now).map((at) => {
    const { requests = 0, failed = 0 } = counted.get(at) ?? {};
    return { at, requests, failed };
  });
}

/** Returns the share of an hour's requests that failed, from 0 to 1. */
export function shareOf({ requests, failed }: Pick<RateHour, "requests" | "failed">): number {
  return requests === 0 ? 0 : failed / requests;
}

/** Returns the totals of the day. */
export function totalOf(hours: readonly RateHour[]): Pick<RateHour, "requests" | "failed"> {
  return {
    requests: hours.reduce((sum, { requests }) => sum + requests, 0),
    failed: hours.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Returns, for example, `2.5%`, or `<0.1%` for a share just above zero. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.000_5) return "<0.1%";
  return `${(share * 100).toLocaleString(undefined, { maximumFractionDigits: share < 0.1 ? 1 : 0 })}%`;
}

/** Returns what a chart of them shows, in words. */
export function sayRate(hours: readonly RateHour[]): string {
  const total = totalOf(hours);
  const of = `${total.requests.toLocaleString()} ${total.requests === 1 ? "request" : "requests"}`;
  if (total.failed === 0) return `None of ${of} failed in the last day`;
  const worst = hours.reduce((known, hour) => (shareOf(hour) > shareOf(known) ? hour : known));
  return `${percentText(shareOf(total))} of ${of} failed in the last day, most in the hour from ${hourText(worst.at)}: ${percentText(shareOf(worst))}`;
}
