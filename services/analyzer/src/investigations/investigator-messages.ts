import type { Collected, InvestigationSubject } from "@whence/engine";
import type { IncidentStep, Report } from "@whence/protocol";

/** What a thread is asked: one investigation at a time. */
export interface InvestigationOrder {
  readonly kind: "investigate";
  readonly subject: InvestigationSubject;
  readonly now: number;
}

/**
 * What a thread investigates, which decides what the operating system runs first: failures that telemetry reported, which
 * are small; texts and files that were sent to be analyzed, which may cost seconds; and those of unclaimed agents.
 */
export type ThreadRank = "failures" | "texts" | "unclaimed";

/** What a thread needs done outside, and what it found. */
export type FromThread =
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly id: number; readonly step: IncidentStep["step"]; readonly detail: string }
  | { readonly kind: "collected"; readonly id: number }
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "failed"; readonly message: string };

/** The answer to a `step` or to `collected`. */
export type ToThread =
  | InvestigationOrder
  | { readonly kind: "answer"; readonly id: number; readonly collected: Collected }
  | { readonly kind: "refusal"; readonly id: number; readonly message: string };
