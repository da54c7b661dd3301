import type { OnwardCall, RelatedFailure } from "@whence/engine";
import type { Circumstances, RecordedCall } from "@whence/storage";
import { type Addresses, placeOf } from "./addresses.ts";
import { callsLeadingTo, type OrdinaryDuration, troubleOf } from "./failed-call.ts";

export type Role = RelatedFailure["role"];

interface Walked {
  readonly addresses: Addresses;
  readonly ordinary: OrdinaryDuration;
}

/**
 * Returns the role of each failure in a trace, seen from one of them, by following failed calls from service to service
 * to where they end. Where no calls were recorded, the earliest failure counts as the deepest, because a called service
 * fails before its caller.
 */
export function rolesIn(
  origin: Circumstances,
  failed: readonly Circumstances[],
  walked: Walked,
): Map<Circumstances, Role> {
  const oldestFirst = failed.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const roles = new Map<Circumstances, Role>();
  const path = walk(origin, oldestFirst, walked);
  for (const [index, { reached, refused }] of path.entries()) {
    roles.set(reached, index < path.length - 1 ? "between" : refused ? "refusing" : "deepest");
  }
  const [earliest] = oldestFirst;
  const isBlind = path.length === 0 && origin.calls.length === 0;
  const callers = callersOf(
    origin,
    oldestFirst.filter((one) => !roles.has(one)),
    walked,
  );
  for (const one of oldestFirst) {
    if (roles.has(one)) continue;
    if (callers.has(one) || isLaterCaller(one, origin)) roles.set(one, "caller");
    else roles.set(one, isBlind && one === earliest && isBefore(one, origin) ? "deepest" : "beside");
  }
  return roles;
}

/** A failure that a failed call led to. */
interface Step {
  readonly reached: Circumstances;
  /** Whether it rejected the request (4xx) rather than failing. */
  readonly refused: boolean;
}

/** Follows failed calls from the failure to other services' failures, visiting each service once. */
function walk(origin: Circumstances, failed: readonly Circumstances[], walked: Walked): Step[] {
  const path: Step[] = [];
  const seen = new Set([origin.service]);
  let here: Circumstances | undefined = origin;
  while (here) {
    const step: Step | undefined = troubledCallees(here, walked)
      .filter(({ service }) => !seen.has(service))
      .flatMap(({ service, refused }) => {
        const reached = failed.find((one) => one.service === service);
        return reached ? [{ reached, refused }] : [];
      })[0];
    if (!step) break;
    here = step.reached;
    seen.add(here.service);
    path.push(step);
  }
  return path;
}

/** Returns the services that failed, rejected, or were slow to answer this one, the latest call first. */
function troubledCallees(from: Circumstances, walked: Walked): { service: string; refused: boolean }[] {
  return troubledCalls(from, walked).flatMap(({ service, how }) =>
    service === null ? [] : [{ service, refused: how === "refused" }],
  );
}

/** A call that led to a failure, and who answers at its host. */
interface TroubledCall extends Pick<OnwardCall, "host" | "service" | "how"> {
  readonly call: RecordedCall;
}

/** Returns the calls that failed, were rejected, or were slow to be answered before a failure, the latest first. */
export function troubledCalls(from: Circumstances, { addresses, ordinary }: Walked): TroubledCall[] {
  return callsLeadingTo(from)
    .toReversed()
    .flatMap((call) => {
      const trouble = troubleOf(call, from.at, ordinary);
      // Where both sides are visible, a rejection is followed as well.
      if (trouble === null && (call.statusCode ?? 0) < 400) return [];
      const { host } = placeOf(call);
      return [{ call, host, service: addresses.serviceAt(host), how: trouble ?? "refused" }];
    });
}

/** Returns the failures from which failed calls lead to the origin, directly or indirectly. */
function callersOf(
  { service }: Circumstances,
  failed: readonly Circumstances[],
  walked: Walked,
): ReadonlySet<Circumstances> {
  const called = failed.map((one) => ({ one, services: troubledCallees(one, walked).map((callee) => callee.service) }));
  const callers = new Set<Circumstances>();
  const reaching = new Set([service]);
  // Iterating a set includes elements added meanwhile.
  for (const reached of reaching) {
    for (const { one, services } of called) {
      if (!services.includes(reached)) continue;
      callers.add(one);
      reaching.add(one.service);
    }
  }
  return callers;
}

/**
 * Whether the roles follow from time, without recorded calls: a service that failed later more likely called this one
 * than the reverse.
 */
function isLaterCaller(one: Circumstances, origin: Circumstances): boolean {
  return one.calls.length === 0 && origin.calls.length === 0 && !isBefore(one, origin);
}

function isBefore(one: Circumstances, origin: Circumstances): boolean {
  return Date.parse(one.at) <= Date.parse(origin.at);
}
