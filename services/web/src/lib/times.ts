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

const shortClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const clockParts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const dayParts = { month: "short", day: "numeric" } as const;
const clock = new Intl.DateTimeFormat(undefined, clockParts);
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" });
const day = new Intl.DateTimeFormat(undefined, dayParts);
const dayAndYear = new Intl.DateTimeFormat(undefined, { ...dayParts, year: "numeric" });

/** The times in a report's text, which has them in UTC. */
export const writtenTimes = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g;

/** Returns a text with times as reports have them instead of those of a chat, `2026-03-01 12:00:00 UTC`. */
export function withReportTimes(text: string): string {
  return text.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g, "$1T$2Z");
}

/**
 * Returns a time for a sentence, in the reader's time zone: `04:51:04 GMT+1`, or `04:51:04 GMT+1 on Nov 22` for a day
 * other than that of `now`.
 */
export function sentenceTime(at: string, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  const time = `${clock.format(date)} ${zoneName(date)}`;
  if (date.toDateString() === today.toDateString()) return time;
  const isThisYear = date.getFullYear() === today.getFullYear();
  return `${time} on ${(isThisYear ? day : dayAndYear).format(date)}`;
}

/** Returns `04:51:04.397 GMT+1 on Nov 22, 2026`, in the reader's time zone. */
export function fullTime(at: string): string {
  const date = new Date(at);
  return `${clockTime(at)} ${zoneName(date)} on ${dayAndYear.format(date)}`;
}

/** Returns `14:18:44.397`, in the reader's time zone, for a column whose head names the zone. */
export function clockTime(at: string): string {
  const date = new Date(at);
  return `${clock.format(date)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Returns the reader's time zone at a time: `UTC`, `GMT+1`. */
export function zoneName(date: Date): string {
  return zone.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** Returns `14:18` for the axis of a chart, in the reader's time zone; `at` in milliseconds since 1970. */
export function hourAndMinute(at: number): string {
  return shortClock.format(at);
}

/** Returns `Nov 22` for the axis of a chart, in the reader's time zone; `at` in milliseconds since 1970. */
export function monthAndDay(at: number): string {
  return day.format(at);
}
