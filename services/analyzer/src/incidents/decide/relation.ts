/** How it was found out that two failures are one problem. */
export type RelationRule = "failed-call" | "same-unanswered-call" | "calls-to-ended-process" | "same-place";

/** That a failure and a recent incident are one problem, and which of the two follows from the other. */
export interface Relation {
  readonly incidentId: string;
  /** Fingerprint of the failure that the incident is named after. */
  readonly anchor: string;
  readonly rule: RelationRule;
  /** Half a sentence about the failure that follows: "12 of 14 of its traces have …". */
  readonly reason: string;
  /** Whether the incident's failure follows from this one, and not the other way round. */
  readonly isRoot: boolean;
}
