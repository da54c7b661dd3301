import type { Hit, Location } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { Fact } from "../signals/fact.ts";
import type { ObservedCall } from "../signals/facts/observed.ts";
import { sourceOf, type WatchedFailure } from "./watched-failure.ts";

/** Where a value was missing. */
interface Missing {
  /** The expression. */
  readonly name: string;
  readonly hit: Hit;
  /** The call that passed nothing for it. */
  readonly caller?: Hit["callers"][number];
  /** What the program got without it. */
  readonly outside?: ObservedCall["outside"];
  readonly changedBy?: ObservedCall["changedBy"];
}

/** Returns the evidence that a value was missing at a stop, with the reason as far as it is known. */
export function observeMissing(
  { name, hit, caller, outside = null, changedBy = null }: Missing,
  { during, thrown: [thrown] }: WatchedFailure,
  observedAt: string,
): Observation<Fact<"observed">> {
  const place: Location = { file: hit.file, line: hit.line, function: hit.function };
  const unpassedBy = caller ? { file: caller.file, line: caller.line, function: caller.function } : null;
  const beforeMs = Math.max(0, Math.round(thrown.at_ms - hit.at_ms));
  const seen = {
    ...during,
    ...place,
    before_ms: beforeMs,
    missing: name,
    unpassedBy,
    outside,
    changedBy,
    values: hit.values,
  };
  return {
    source: sourceOf(during),
    observed_at: observedAt,
    fact: {
      kind: "observed",
      observed: {
        place,
        during,
        returned: null,
        beforeMs,
        missing: name,
        unpassedBy,
        outside,
        changedBy,
        inTest: null,
        values: [],
      },
    },
    location: unpassedBy ?? place,
    ...quotedData(seen),
  };
}
