import type { FailureRepository, KnownFailure } from "@whence/storage";
import type { AnnouncedAlert } from "@whence/vendors";
import { triggerLimits } from "./trigger-limits.ts";

const inWord = /[\p{L}\p{N}_-]/u;

/**
 * The failure in telemetry that an alert is most likely about: of the service that it names, and seen around the time when
 * the alert began. One that has an incident comes first, then the one seen last. Null when there is none.
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

/** The same for what people wrote: of a service whose name is a word of the text. */
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
    .filter(({ lastSeen }) => Date.parse(lastSeen) >= since)
    .sort((one, other) => rankOf(one) - rankOf(other) || other.lastSeen.localeCompare(one.lastSeen));
  return first ?? null;
}

function rankOf({ incidentId }: KnownFailure): number {
  return incidentId === null ? 1 : 0;
}

/** Names of services have hyphens: `cart` isn't a word of `cart-worker`. */
function isWordOf(text: string, name: string): boolean {
  for (let at = text.indexOf(name); name !== "" && at >= 0; at = text.indexOf(name, at + 1)) {
    if (!inWord.test(text.slice(at - 1, at)) && !inWord.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
