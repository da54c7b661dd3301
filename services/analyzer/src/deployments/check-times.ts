import { triggerLimits } from "../triggers/trigger-limits.ts";

/** Returns when a deployment that went live at a time (RFC 3339) is checked next; null after the last check. */
export function nextCheckAt(liveAt: string, now: number): Date | null {
  const times = triggerLimits.deploymentChecksAfterMs.map((afterMs) => Date.parse(liveAt) + afterMs);
  const next = times.find((time) => time > now);
  return next === undefined ? null : new Date(next);
}

/** Returns until when failures can be caused by the deployment. */
export function watchedUntil(liveAt: string): number {
  return Date.parse(liveAt) + Math.max(...triggerLimits.deploymentChecksAfterMs);
}
