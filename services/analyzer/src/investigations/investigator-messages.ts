import type { InvestigationSubject } from "@whence/engine";
import type { IncidentStep } from "@whence/protocol";

/** A thread's work: one investigation at a time. */
export interface InvestigationOrder {
  readonly subject: InvestigationSubject;
  readonly now: number;
}

/** A thread's request to the main thread: recording a step, or the collectors' findings. */
export type InvestigationQuestion =
  | { readonly kind: "step"; readonly step: IncidentStep["step"]; readonly detail: string }
  | { readonly kind: "collected" };
