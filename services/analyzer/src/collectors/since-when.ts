import type { Collector, RateFact } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { MinuteActivity, ScopedEvents } from "@whence/storage";
import { type RateMinute, type RateShape, rateShape } from "./change-point.ts";
import { failureOf, windowOf } from "./shared-reads.ts";

const minuteMs = 60_000;
/** Heartbeats measure how much ran when this share of the minutes has one. */
const heartbeatShareMin = 0.5;

/**
 * Finds since when the service fails the way it does: for the first time, at a steady rate, or more often from some minute
 * on. Where heartbeats show how many processes run, the rate is per process: twice the processes with twice the failures
 * isn't a change.
 */
export function sinceWhen(events: ScopedEvents): Collector {
  const name = "rate by minute";
  return {
    name,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const window = windowOf(failure);
      const [activity, totals] = await Promise.all([events.activity(window), events.failure(failure.fingerprint)]);
      if (!totals || !activity.some(({ failing }) => failing > 0)) return [];
      const series = seriesOf(activity, window);
      const shape = rateShape(series.minutes);
      const isNew = Date.parse(totals.firstSeen) >= Date.parse(window.from);
      const rate = toFact(shape, isNew ? totals.firstSeen : null, series.perProcess);
      return [
        observeData(
          { kind: "telemetry", name },
          { window, activity: activity.slice(-activityQuotedMax), ...rate },
          {
            observed_at: rate.at ?? failure.event.at,
            fact: { kind: "rate", rate },
          },
        ),
      ];
    },
  };
}

/** Minutes in the excerpt: the last hours, when each has an entry. */
const activityQuotedMax = 240;

interface Series {
  readonly minutes: readonly RateMinute[];
  readonly perProcess: boolean;
}

/** Every minute of the window, from the service's first telemetry on. */
function seriesOf(activity: readonly MinuteActivity[], { from, to }: { from: string; to: string }): Series {
  const byMinute = new Map(activity.map((one) => [Date.parse(one.minute), one]));
  const first = activity[0] ? Date.parse(activity[0].minute) : Date.parse(from);
  const times: number[] = [];
  for (let time = first; time < Date.parse(to); time += minuteMs) times.push(time);
  const beating = activity.filter(({ heartbeats }) => heartbeats > 0).length;
  const perProcess = beating >= heartbeatShareMin * times.length;
  const beats = times.map((time) => byMinute.get(time)?.heartbeats ?? 0);
  const exposure = perProcess ? smoothed(beats) : times.map(() => 1);
  return {
    perProcess,
    minutes: times.map((time, index) => ({
      at: new Date(time).toISOString(),
      failing: byMinute.get(time)?.failing ?? 0,
      exposure: exposure[index] ?? 0,
    })),
  };
}

/** One heartbeat a minute may fall on either side of the minute, so the number of processes is read over three minutes. */
function smoothed(beats: readonly number[]): number[] {
  return beats.map((own, index) => {
    const around = [beats[index - 1], own, beats[index + 1]].filter((one) => one !== undefined);
    return Math.max(around.reduce((sum, one) => sum + one, 0) / around.length, 1 / 3);
  });
}

function toFact(shape: RateShape, firstSeen: string | null, perProcess: boolean): RateFact {
  if (shape.kind === "steady" || (firstSeen !== null && (shape.kind === "step" || shape.kind === "spike"))) {
    const rate = shape.kind === "steady" ? shape.rate : shape.after;
    if (firstSeen !== null) return { shape: "first", at: firstSeen, until: null, before: 0, after: rate, perProcess };
    return { shape: "steady", at: null, until: null, before: rate, after: rate, perProcess };
  }
  const { kind, at, before, after } = shape;
  return { shape: kind, at, until: shape.kind === "spike" ? shape.until : null, before, after, perProcess };
}
