import type { Location } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { Fact } from "../signals/fact.ts";
import type { SeenFunction } from "./seen-functions.ts";
import { sourceOf, type WatchedFailure } from "./watched-failure.ts";

const valuesMax = 3;
/** A longer value is in the excerpt. */
const saidUnitsMax = 80;

/** Returns the evidence about a function: what it returned last, or that it didn't run. */
export function observeFunction(
  { at, returned }: SeenFunction,
  { during, thrown: [thrown] }: WatchedFailure,
  observedAt: string,
): Observation<Fact<"observed">> {
  const location: Location = {
    file: at.file,
    line: returned?.line ?? at.starts,
    function: at.function?.name ?? returned?.function ?? null,
  };
  const beforeMs = returned && Math.max(0, Math.round(thrown.at_ms - returned.at_ms));
  const values = Object.entries(returned?.values ?? {})
    .filter(([, value]) => value.length <= saidUnitsMax)
    .slice(0, valuesMax)
    .map(([name, value]) => ({ name, value }));
  const seen = {
    ...during,
    ...location,
    before_ms: beforeMs,
    returned: returned?.returned ?? null,
    values: returned?.values ?? {},
  };
  return {
    source: sourceOf(during),
    observed_at: observedAt,
    fact: {
      kind: "observed",
      observed: {
        place: location,
        during,
        returned: returned?.returned ?? null,
        beforeMs,
        missing: null,
        unpassedBy: null,
        outside: null,
        changedBy: null,
        inTest: null,
        values,
      },
    },
    location,
    ...quotedData(seen),
  };
}
