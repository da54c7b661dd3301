import { triggerLimits } from "../triggers/trigger-limits.ts";

/** When a deployment that went live at a time (RFC 3339) is looked at next; null after the last time. */
export function nextCheckAt(liveAt: string, now: number): Date | null {
  const times = triggerLimits.deploymentChecksAfterMs.map((afterMs) => Date.parse(liveAt) + afterMs);
  const next = times.find((time) => time > now);
  return next === undefined ? null : new Date(next);
}

/** Until when what happened can be the deployment's doing. */
export function watchedUntil(liveAt: string): number {
  return Date.parse(liveAt) + Math.max(...triggerLimits.deploymentChecksAfterMs);
}
