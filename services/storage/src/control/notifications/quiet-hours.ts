import { dayMs, minuteMs, type QuietHours, weekdays } from "@whence/protocol";

const daysOfWeek = weekdays.length;

/** A calendar day, as the time its midnight would have in UTC. */
type Day = number;

/**
 * When the quiet hours that `at` is in will be over, or null when it is in none. Adjacent ones, as of a Saturday and a Sunday
 * around the clock, count as one. A local time that a change of the clocks skips is as much later as the clocks are put
 * forward; of one that occurs twice, the first counts.
 */
export function quietUntil(quiet: QuietHours, at: Date): Date | null {
  let until: number | null = null;
  for (let time = at.getTime(); ; ) {
    const end = endOfQuiet(quiet, time);
    // Those that end on the eighth day have no end.
    if (end === null || end - at.getTime() > (daysOfWeek + 1) * dayMs) break;
    time = until = end;
  }
  return until === null ? null : new Date(until);
}

/** The end of quiet hours that began today or the day before: none lasts longer than a day. */
function endOfQuiet({ time_zone: zone, from, to, days }: QuietHours, at: number): number | null {
  const today = Math.floor(wallTime(at, zone) / dayMs) * dayMs;
  for (const day of [today - dayMs, today]) {
    if (!days.some((name) => name === weekdayOf(day))) continue;
    const start = instantOf(day + minutesOf(from) * minuteMs, zone);
    const end = instantOf((to > from ? day : day + dayMs) + minutesOf(to) * minuteMs, zone);
    if (start <= at && at < end) return end;
  }
  return null;
}

function minutesOf(time: string): number {
  const [hours = "", minutes = ""] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

function weekdayOf(day: Day): string | undefined {
  return weekdays[(new Date(day).getUTCDay() + daysOfWeek - 1) % daysOfWeek];
}

/** What clocks show in the zone, as the time at which UTC shows the same. */
function wallTime(at: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value ?? Number.NaN);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** The first moment at which clocks in the zone show this time, or a later one if they never do. */
function instantOf(wall: number, zone: string): number {
  const offsetAt = (at: number): number => wallTime(at, zone) - at;
  // A day before and a day after lie on both sides of a change of the clocks, if there is one.
  const [before, after] = [wall - offsetAt(wall - dayMs), wall - offsetAt(wall + dayMs)];
  const shown = [before, after].filter((at) => wallTime(at, zone) === wall);
  return shown.length > 0 ? Math.min(...shown) : Math.max(before, after);
}

const formats = new Map<string, Intl.DateTimeFormat>();
const formatsMax = 600;

/** Costly to make: kept for each time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const;
  const made = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    ...numeric,
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
    timeZone,
  });
  if (formats.size < formatsMax) formats.set(timeZone, made);
  return made;
}
