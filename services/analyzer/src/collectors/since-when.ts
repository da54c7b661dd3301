import type { Collector, RateFact } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import { type RateShape, rateShape } from "./change-point.ts";
import { rateMinutes } from "./rate-minutes.ts";
import { busyDeadlineMs, failureOf, type ReadsOf, windowOf } from "./shared-reads.ts";

/**
 * Finds since when the service fails this way: for the first time, at a steady rate, or more often from some minute on.
 * Where heartbeats show how many processes run, the rate is per process: twice the processes with twice the failures
 * isn't a change.
 */
export function sinceWhen(events: ScopedEvents, reads: ReadsOf): Collector {
  const name = "rate by minute";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const window = windowOf(failure);
      const [activity, totals] = await Promise.all([reads(failure).activity(), events.failure(failure.fingerprint)]);
      if (!totals || !activity.some(({ failing }) => failing > 0)) return [];
      const series = rateMinutes(activity, window, ({ failing }) => failing);
      const shape = rateShape(series.minutes);
      const isNew = Date.parse(totals.firstSeen) >= Date.parse(window.from);
      const rate = toRateFact(shape, isNew ? totals.firstSeen : null, series.perProcess);
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
export const activityQuotedMax = 240;

/** Converts a shape to a fact; `firstSeen` is of a failure that is new in the window, null for any other. */
export function toRateFact(shape: RateShape, firstSeen: string | null, perProcess: boolean): RateFact {
  if (shape.kind === "steady" || (firstSeen !== null && (shape.kind === "step" || shape.kind === "spike"))) {
    const rate = shape.kind === "steady" ? shape.rate : shape.after;
    if (firstSeen !== null) return { shape: "first", at: firstSeen, until: null, before: 0, after: rate, perProcess };
    return { shape: "steady", at: null, until: null, before: rate, after: rate, perProcess };
  }
  const { kind, at, before, after } = shape;
  return { shape: kind, at, until: shape.kind === "spike" ? shape.until : null, before, after, perProcess };
}
