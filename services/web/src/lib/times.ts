import { dayMs, hourMs, minuteMs, secondMs } from "@whence/protocol";

const units = [
  [dayMs, "d"],
  [hourMs, "h"],
  [minuteMs, "min"],
  [secondMs, "s"],
] as const;

/** Returns `3 min`, `2 h`, or `5 d`, in the largest unit that fits. */
export function shortSpan(ms: number): string {
  for (const [unitMs, name] of units) if (ms >= unitMs) return `${Math.floor(ms / unitMs)} ${name}`;
  return `${Math.max(0, Math.round(ms))} ms`;
}

/** `3 min ago`, `now`. */
export function age(at: string, now: number): string {
  const ms = now - Date.parse(at);
  return ms < secondMs ? "now" : `${shortSpan(ms)} ago`;
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const dayAndYear = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/**
 * Returns a time for a sentence, in the reader's time zone: `4:51:04 AM`, or `4:51:04 AM on Nov 22` for a day other
 * than that of `now`.
 */
export function sentenceTime(at: string, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return timeOfDay.format(date);
  const isThisYear = date.getFullYear() === today.getFullYear();
  return `${timeOfDay.format(date)} on ${(isThisYear ? day : dayAndYear).format(date)}`;
}

/** Returns `Nov 22, 2026, 4:51:04 AM GMT+1`, in the reader's time zone with its offset. */
export function fullTime(at: string): string {
  return full.format(new Date(at));
}

/** Returns `14:18:44.397`, in the reader's time zone. */
export function clockTime(at: string): string {
  const date = new Date(at);
  return `${clock.format(date)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
