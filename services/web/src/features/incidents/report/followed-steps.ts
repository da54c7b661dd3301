import type { IncidentStep } from "@whence/protocol";

/** Adds a step that arrived: a new attempt counts from 1 again, and replaces the steps from there on. */
export function withStep(steps: readonly IncidentStep[], step: IncidentStep): IncidentStep[] {
  return [...steps.filter(({ seq }) => seq < step.seq), step];
}
