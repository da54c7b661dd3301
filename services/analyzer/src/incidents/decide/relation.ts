/** The evidence that two failures are one problem. */
export type RelationRule = "failed-call" | "same-unanswered-call" | "calls-to-ended-process" | "same-place";

/** A failure and a recent incident that are one problem. */
export interface Relation {
  readonly incidentId: string;
  /** Fingerprint of the failure that the incident is named after. */
  readonly anchor: string;
  readonly rule: RelationRule;
  /** A clause about the failure that was caused by the other: "12 of 14 of its traces have …". */
  readonly reason: string;
  /** Whether this failure caused the incident's, and not the other way around. */
  readonly isRoot: boolean;
}
