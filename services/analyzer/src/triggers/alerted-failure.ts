import type { FailureRepository, KnownFailure } from "@whence/storage";
import type { AnnouncedAlert } from "@whence/vendors";
import { triggerLimits } from "./trigger-limits.ts";

/**
 * Returns the failure in telemetry that an alert is most likely about: of the service that it names, and seen around
 * the time when the alert began. One that has an incident comes first, then the one seen last. Null without one.
 */
export async function alertedFailure(
  failures: Pick<FailureRepository, "list">,
  { service, env, at }: Pick<AnnouncedAlert, "service" | "env" | "at">,
): Promise<KnownFailure | null> {
  if (service === null) return null;
  const recent = await failures.list({ limit: triggerLimits.failuresLookedAtMax });
  const isAbout = (failure: KnownFailure): boolean =>
    isSame(failure.service, service) && (env === null || isSame(failure.env, env));
  return mostLikelyAround(recent.filter(isAbout), at)[0] ?? null;
}

/** Returns the undecided failures that occurred around a time, those with an incident first, then those seen last. */
export function mostLikelyAround(failures: readonly KnownFailure[], at: string): readonly KnownFailure[] {
  const { failureBeforeAlertMs, failureAfterAlertMs } = triggerLimits;
  const since = Date.parse(at) - failureBeforeAlertMs;
  const until = Date.parse(at) + failureAfterAlertMs;
  return failures
    .filter(isUndecided)
    .filter(({ firstSeen, lastSeen }) => Date.parse(lastSeen) >= since && Date.parse(firstSeen) <= until)
    .sort(likelierFirst);
}

/** Orders failures: those with an incident first, then those seen last. */
export function likelierFirst(one: KnownFailure, other: KnownFailure): number {
  return rankOf(one) - rankOf(other) || other.lastSeen.localeCompare(one.lastSeen);
}

/** What people muted, ignored, or resolved says nothing about an alert of the same service. */
function isUndecided({ incidentState }: KnownFailure): boolean {
  return incidentState === null || incidentState === "open";
}

function rankOf({ incidentId }: KnownFailure): number {
  return incidentId === null ? 1 : 0;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
