import { minuteMs } from "@whence/protocol";
import type { MinuteActivity } from "@whence/storage";
import type { RateMinute } from "./change-point.ts";

/** Heartbeats measure how many processes ran if this share of the minutes has one. */
const heartbeatShareMin = 0.5;

export interface RateSeries {
  readonly minutes: readonly RateMinute[];
  /** Whether heartbeats show how many processes ran. */
  readonly perProcess: boolean;
}

/** Returns every minute of the window, from the service's first telemetry on, with its number of failures. */
export function rateMinutes(
  activity: readonly MinuteActivity[],
  { from, to }: { readonly from: string; readonly to: string },
  failingIn: (minute: MinuteActivity) => number,
): RateSeries {
  const byMinute = new Map(activity.map((one) => [Date.parse(one.minute), one]));
  const first = activity[0] ? Date.parse(activity[0].minute) : Date.parse(from);
  const times: number[] = [];
  for (let time = first; time < Date.parse(to); time += minuteMs) times.push(time);
  const beating = activity.filter(({ heartbeats }) => heartbeats > 0).length;
  const perProcess = beating >= heartbeatShareMin * times.length;
  const beats = times.map((time) => byMinute.get(time)?.heartbeats ?? 0);
  const exposure = perProcess ? smoothed(beats) : times.map(() => 1);
  const minutes = times.map((time, index) => {
    const known = byMinute.get(time);
    return {
      at: new Date(time).toISOString(),
      failing: known ? failingIn(known) : 0,
      exposure: exposure[index] ?? 0,
    };
  });
  return { perProcess, minutes };
}

/**
 * Smooths the number of processes over three minutes, because a heartbeat per minute may fall on either side of the
 * minute.
 */
function smoothed(beats: readonly number[]): number[] {
  return beats.map((own, index) => {
    const around = [beats[index - 1], own, beats[index + 1]].filter((one) => one !== undefined);
    return Math.max(around.reduce((sum, one) => sum + one, 0) / around.length, 1 / 3);
  });
}
