import type { FailureRepository, KnownFailure } from "@whence/storage";
import type { AnnouncedAlert } from "@whence/vendors";
import { triggerLimits } from "./trigger-limits.ts";

const inWord = /[\p{L}\p{N}_-]/u;

/**
 * Returns the failure in telemetry that an alert is most likely about: of the service that it names, and seen around
 * the time when the alert began. One that has an incident comes first, then the one seen last. Null without one.
 */
export async function alertedFailure(
  failures: Pick<FailureRepository, "list">,
  { service, env, at }: Pick<AnnouncedAlert, "service" | "env" | "at">,
): Promise<KnownFailure | null> {
  if (service === null) return null;
  const isAbout = (failure: KnownFailure): boolean =>
    isSame(failure.service, service) && (env === null || isSame(failure.env, env));
  return failureAround(failures, at, isAbout);
}

/** Returns the same for a text that people wrote, about a service whose name is a word in it. */
export function failureNamedIn(
  failures: Pick<FailureRepository, "list">,
  { text, at }: { readonly text: string; readonly at: string },
): Promise<KnownFailure | null> {
  const written = text.toLowerCase();
  const isNamed = new Map<string, boolean>();
  return failureAround(failures, at, ({ service }) => {
    const known = isNamed.get(service) ?? isWordOf(written, service.toLowerCase());
    isNamed.set(service, known);
    return known;
  });
}

async function failureAround(
  failures: Pick<FailureRepository, "list">,
  at: string,
  isAbout: (failure: KnownFailure) => boolean,
): Promise<KnownFailure | null> {
  const since = Date.parse(at) - triggerLimits.failureBeforeAlertMs;
  const recent = await failures.list({ limit: triggerLimits.failuresLookedAtMax });
  const [first] = recent
    .filter(isAbout)
    .filter(isUndecided)
    .filter(({ lastSeen }) => Date.parse(lastSeen) >= since)
    .sort((one, other) => rankOf(one) - rankOf(other) || other.lastSeen.localeCompare(one.lastSeen));
  return first ?? null;
}

/** What people muted, ignored, or resolved says nothing about an alert of the same service. */
function isUndecided({ incidentState }: KnownFailure): boolean {
  return incidentState === null || incidentState === "open";
}

function rankOf({ incidentId }: KnownFailure): number {
  return incidentId === null ? 1 : 0;
}

/** Service names contain hyphens: `cart` isn't a word in `cart-worker`. */
function isWordOf(text: string, name: string): boolean {
  for (let at = text.indexOf(name); name !== "" && at >= 0; at = text.indexOf(name, at + 1)) {
    if (!inWord.test(text.slice(at - 1, at)) && !inWord.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
