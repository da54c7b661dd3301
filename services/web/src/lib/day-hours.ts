import { hourMs } from "@whence/protocol";

/** The hours of a day, and the current one. */
const hoursShown = 25;

/** Returns the starts of the hours of the last day, oldest first. */
export function dayHours(now: number): number[] {
  const last = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: hoursShown }, (_, index) => last - (hoursShown - 1 - index) * hourMs);
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

/** Returns, for example, `09:00`. */
export function hourText(at: number): string {
  return clock.format(at);
}
