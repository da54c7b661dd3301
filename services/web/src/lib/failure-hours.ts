import { dayHours, hourText } from "./day-hours.ts";

export interface FailureHour {
  /** The start of the hour. */
  readonly at: number;
  readonly events: number;
}

/** Returns every hour of the last day, including those without failures, oldest first. */
export function failureHours(
  failures: readonly { readonly hour: string; readonly events: number }[],
  now: number,
): FailureHour[] {
  const counted = new Map(failures.map(({ hour, events }) => [Date.parse(hour), events]));
  return dayHours(now).map((at) => ({ at, events: counted.get(at) ?? 0 }));
}

/** Returns what a chart of them shows, in words. */
export function sayFailures(hours: readonly FailureHour[]): string {
  const total = hours.reduce((sum, { events }) => sum + events, 0);
  if (total === 0) return "No failures in the last day";
  const worst = hours.reduce((known, hour) => (hour.events > known.events ? hour : known));
  const events = total === 1 ? "1 failing event" : `${total.toLocaleString()} failing events`;
  return `${events} in the last day, most in the hour from ${hourText(worst.at)}: ${worst.events.toLocaleString()}`;
}
