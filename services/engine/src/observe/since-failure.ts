import type { EventFacts } from "../findings/event-facts.ts";
import type { Observation } from "../findings/observation.ts";
import { observeData } from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import { minutesSince } from "../signals/facts/answers.ts";

/**
 * Returns the observations without the requests that were counted before the failure began, which say nothing about it.
 */
export function sinceFailure(observations: readonly Observation[], event: EventFacts | null): readonly Observation[] {
  const [totals] = ofKind(observations, "totals");
  const firstSeen = totals?.fact.impact.first_seen ?? event?.at ?? null;
  if (firstSeen === null) return observations;
  return observations.flatMap((observation) => {
    const { fact, source } = observation;
    if (fact.kind !== "answers") return [observation];
    const minutes = minutesSince(fact.minutes, firstSeen);
    const last = minutes.at(-1);
    if (!last || minutes.length === fact.minutes.length) return last ? [observation] : [];
    const { service } = fact;
    const counted = { kind: "telemetry", name: source.name } as const;
    return [observeData(counted, { service, minutes }, { observed_at: last.at, fact: { ...fact, minutes } })];
  });
}
