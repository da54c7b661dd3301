import type { AnswerDropReason, AnswerStatement, ModelFailure } from "@whence/engine";
import type { Report } from "@whence/protocol";

/** What a language model contributed to the answer to a question. */
export interface ModelAnswer {
  /** Its provider and its name; null when it wasn't looked up, since the budget of the day is used up. */
  readonly model: string | null;
  /** `nothing_held` when no statement passed the checks, `busy` when it wasn't asked since too many questions are. */
  readonly outcome: "answered" | "nothing_held" | "budget_used_up" | "busy" | ModelFailure;
  /** The statements that hold. */
  readonly statements: readonly AnswerStatement[];
  /** Why others aren't used. */
  readonly dropped: readonly AnswerDropReason[];
}

/** A finished report that is asked about. */
export interface AskedIncident {
  readonly id: string;
  readonly report: Report;
}

/** Asks the model of a scope; null where it has none. Never rejects: without a model, the report answers. */
export type AskModel = (scopeId: string, incident: AskedIncident, question: string) => Promise<ModelAnswer | null>;
