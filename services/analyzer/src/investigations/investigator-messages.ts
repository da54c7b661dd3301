import type { InvestigationSubject } from "@whence/engine";
import type { IncidentStep } from "@whence/protocol";

/** What a thread is asked: one investigation at a time. */
export interface InvestigationOrder {
  readonly subject: InvestigationSubject;
  readonly now: number;
}

/** What a thread needs done outside: a step recorded, or what the collectors found. */
export type InvestigationQuestion =
  | { readonly kind: "step"; readonly step: IncidentStep["step"]; readonly detail: string }
  | { readonly kind: "collected" };
