import type { Collector } from "@whence/engine";
import { observeData } from "@whence/engine";
import { hourMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { announcedOf } from "./announced.ts";
import { rateShape } from "./change-point.ts";
import { rateMinutes } from "./rate-minutes.ts";
import { busyDeadlineMs, spanBefore } from "./shared-reads.ts";
import { activityQuotedMax, toRateFact } from "./since-when.ts";

/** How far back the rate is read, minute by minute. */
const windowMs = 4 * hourMs;
/** A fingerprint that no failure has, so that all failures of the service are counted. */
const noFingerprint = "";

/** Finds when the service of an announced failure started failing more often, whatever the failures are. */
export function announcedRate(events: ScopedEvents): Collector {
  const name = "rate by minute";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const announced = announcedOf(findings);
      if (!announced) return [];
      const { service, at } = announced;
      const window = { ...spanBefore(announced, windowMs), service, fingerprint: noFingerprint };
      const activity = (await events.activity(window)).map((one) => ({ ...one, failing: one.otherFailures }));
      const { minutes, perProcess } = rateMinutes(activity, window, ({ failing }) => failing);
      const shape = rateShape(minutes);
      if (shape.kind === "steady") return [];
      const rate = { ...toRateFact(shape, null, perProcess), of: service };
      return [
        observeData(
          { kind: "telemetry", name },
          { window, activity: activity.slice(-activityQuotedMax), ...rate },
          { observed_at: rate.at ?? at, fact: { kind: "rate", rate } },
        ),
      ];
    },
  };
}
