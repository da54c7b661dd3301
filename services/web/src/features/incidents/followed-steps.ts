import type { IncidentStep } from "@whence/protocol";

/** The steps with one that arrived: an attempt that starts over counts from 1 again, and replaces those from there on. */
export function withStep(steps: readonly IncidentStep[], step: IncidentStep): IncidentStep[] {
  return [...steps.filter(({ seq }) => seq < step.seq), step];
}
