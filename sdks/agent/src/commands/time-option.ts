import { dayMs, hourMs, minuteMs } from "@whence/protocol";
import { type CommandLine, textOption, UsageError } from "./command.ts";

/** Milliseconds of the units of durations. */
const unitsMs = { m: minuteMs, h: hourMs, d: dayMs } as const;

/**
 * Returns the time that an option gives, in full and in UTC: an RFC 3339 time, a date, or how long before `now` (in
 * milliseconds since 1970) it is, such as `6h`.
 */
export function timeOption(line: CommandLine, option: string, now: number): string | undefined {
  const text = textOption(line, option);
  if (text === undefined) return undefined;
  const time = millisecondsOf(text, now);
  if (time !== null) return new Date(time).toISOString();
  throw new UsageError(
    `--${option} takes a time such as 6h, 7d, or 2026-03-01T10:00:00Z, but got "${text.slice(0, 60)}"`,
  );
}

/** Returns the milliseconds of a duration such as `90m`, `6h`, or `7d`; null for other text. */
export function durationMs(text: string): number | null {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (amount === undefined || (unit !== "m" && unit !== "h" && unit !== "d")) return null;
  return Number(amount) * unitsMs[unit];
}

function millisecondsOf(text: string, now: number): number | null {
  const before = durationMs(text);
  if (before !== null) return now - before;
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
