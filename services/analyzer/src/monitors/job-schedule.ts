import { type MonitorSchedule, minuteMs } from "@whence/protocol";
import { Cron } from "croner";
import type { SettingProblem } from "./monitor-kind.ts";

/**
 * Returns when the job runs next after a moment, in milliseconds since 1970; null when it never does. A crontab's times are
 * those of its time zone; a time that doesn't exist on a day when clocks change comes an hour later.
 */
export function nextRun(schedule: MonitorSchedule, after: number): number | null {
  if (schedule.type === "interval") return after + schedule.minutes * minuteMs;
  return cronOf(schedule).nextRun(new Date(after))?.getTime() ?? null;
}

/** Returns why a schedule can't work, with the setting; null when it can. */
export function scheduleProblem(schedule: MonitorSchedule, now: number): SettingProblem | null {
  if (schedule.type === "interval") return null;
  if (!isTimeZone(schedule.time_zone)) {
    return { setting: "schedule.time_zone", message: "there is no such time zone: use a name such as Europe/Berlin" };
  }
  try {
    if (nextRun(schedule, now) !== null) return null;
  } catch {
    // Its own messages name positions in a form that no one wrote.
    return {
      setting: "schedule.crontab",
      message: "it must have five fields: minute, hour, day of the month, month, day of the week",
    };
  }
  return { setting: "schedule.crontab", message: "this never comes: check its day and its month" };
}

function cronOf({ crontab, time_zone: timezone }: Extract<MonitorSchedule, { type: "crontab" }>): Cron {
  return new Cron(crontab, { mode: "5-part", timezone });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
