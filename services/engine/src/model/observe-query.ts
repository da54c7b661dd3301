import type { Observation } from "../findings/observation.ts";
import { observeData } from "../findings/observe-input.ts";
import { type QueriedTelemetry, queriedSource } from "../signals/facts/queried-telemetry.ts";

/** Returns the rows of telemetry that a model asked for as evidence. */
export function observeQuery(queried: QueriedTelemetry): Observation {
  const shown = { observed_at: queried.to, fact: { kind: "queried-telemetry", queried } } as const;
  return observeData({ kind: "telemetry", name: queriedSource }, { queried }, shown);
}
