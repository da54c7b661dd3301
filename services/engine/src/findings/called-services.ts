import type { EventFacts } from "./event-facts.ts";
import type { Observation } from "./observation.ts";

/** Returns whether a service is known to answer at a host, by traced calls or by its name. */
export function answersAt(service: string, host: string, observations: readonly Observation[]): boolean {
  const known = observations.flatMap(({ fact }) =>
    fact.kind === "failing-calls" && fact.calls.host === host && fact.calls.service !== null
      ? [fact.calls.service]
      : [],
  );
  return known.length > 0 ? known.includes(service) : host.includes(service);
}

/** Returns whether a call to the service failed just before the error. */
export function hasFailedCallsTo(
  service: string,
  { observations, event }: { readonly observations: readonly Observation[]; readonly event: EventFacts | null },
): boolean {
  const isKnown = observations.some(({ fact }) => fact.kind === "failing-calls" && fact.calls.service === service);
  const troubled = (event?.calls ?? []).filter(({ trouble, isRelated }) => trouble !== null && isRelated);
  return isKnown || troubled.some(({ host }) => answersAt(service, host, observations));
}
