import { comesAfter, failureMoment, timeErrorMs } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { Deployment, MinuteActivity, ScopedEvents } from "@whence/storage";
import { rateShape } from "../collectors/change-point.ts";
import { rateMinutes } from "../collectors/rate-minutes.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import { watchedUntil } from "./check-times.ts";

/** A rise of a service's failures since a deployment. */
export interface FailureRise {
  /** RFC 3339: the minute of the change. */
  readonly at: string;
  /** Failures per minute; per process if `perProcess`. */
  readonly before: number;
  readonly after: number;
  readonly perProcess: boolean;
  /** The failure that increased the most. */
  readonly fingerprint: string;
}

const failuresReadMax = 100;

/** Returns how a service's failures rose soon after a deployment; null when they didn't. */
export async function failureRise(
  events: ScopedEvents,
  { service, env, liveAt }: Pick<Deployment, "service" | "env" | "liveAt">,
  now: number,
): Promise<FailureRise | null> {
  const live = Date.parse(liveAt);
  const window = {
    from: atMinute(live - triggerLimits.beforeDeploymentMs),
    to: atMinute(Math.min(now, watchedUntil(liveAt))),
  };
  // No failure has an empty fingerprint, so all of the service's count as others.
  const activity = await events.activity({ service, env, fingerprint: "", ...window });
  const series = rateMinutes(fromBeginning(activity, window.from), window, ({ otherFailures }) => otherFailures);
  const shape = rateShape(series.minutes);
  if (shape.kind !== "step" && shape.kind !== "spike") return null;
  const announced = { at: live, errorMs: timeErrorMs.heard };
  if (comesAfter(announced, failureMoment({ firstSeen: shape.at, began: "rose" }))) return null;
  if (Date.parse(shape.at) - live > triggerLimits.deploymentEffectWithinMs) return null;
  const span = { env, from: shape.at, to: window.to };
  const counts = await events.failures({ ...span, limit: failuresReadMax });
  const [risen] = counts
    .filter((count) => count.service === service)
    .toSorted((one, other) => other.events - other.before - (one.events - one.before));
  const { at, before, after } = shape;
  return risen ? { at, before, after, perProcess: series.perProcess, fingerprint: risen.fingerprint } : null;
}

/** Fills in minutes: without heartbeats, no telemetry means that nothing failed; with them, that nothing ran. */
function fromBeginning(activity: readonly MinuteActivity[], from: string): readonly MinuteActivity[] {
  if (activity.some(({ heartbeats }) => heartbeats > 0)) return activity;
  return [{ minute: from, failing: 0, otherFailures: 0, heartbeats: 0 }, ...activity];
}

function atMinute(ms: number): string {
  return new Date(Math.floor(ms / minuteMs) * minuteMs).toISOString();
}
