import type { Actor, Decision, Severity, Trigger } from "@whence/protocol";
import type { FailureHistory } from "./failure-history.ts";

/** A failure that belongs to an incident which another one opened. */
export interface JoiningFailure {
  readonly title: string;
  readonly history: FailureHistory;
  readonly decision: Decision & { outcome: "joined" };
  readonly joining: Joining;
}

/** The incident that a failure joins, and which of the two caused the other. */
export interface Joining {
  readonly incidentId: string;
  /** The fingerprint that the incident was named after when this was decided. */
  readonly anchor: string;
  /** The failure's severity. An incident is as severe as its worst failure. */
  readonly severity: Severity;
  /**
   * Null: the failure follows from the incident's. Otherwise it caused the incident's, and the incident is renamed
   * after it.
   */
  readonly root: RootOfIncident | null;
}

/** The failure that an incident is renamed after. */
export interface RootOfIncident {
  readonly title: string;
  readonly trigger: Trigger;
  /** The event to investigate; null: the same as before. */
  readonly eventId: string | null;
  /** Its notifications wait until then, or until it is known whether it belongs to yet another incident. */
  readonly heldUntil?: Date | undefined;
  /** Why what it was named after before follows from this. */
  readonly formerReason: string;
}

/** A failure that someone splits off from the incident that it joined. */
export interface SplitFailure {
  readonly incidentId: string;
  readonly fingerprint: string;
  readonly trigger: Trigger;
  readonly decision: Decision & { outcome: "opened" };
  readonly by: Actor;
  readonly now: Date;
}

export interface OpenIncidentsFilter {
  readonly env: string;
  readonly since: Date;
  /** An incident that is wanted however old it is. */
  readonly incidentId?: string | undefined;
}

/** The open incidents of a scope at one moment. */
export interface OpenIncidents {
  /** How many incidents its telemetry ever opened. */
  readonly opened: number;
  /** The newest first. */
  readonly incidents: readonly RecentIncident[];
}

export interface RecentIncident {
  readonly id: string;
  readonly title: string;
  /** Of the failure that it is named after. */
  readonly service: string;
  readonly fingerprint: string;
  /** It is named after the end of a process: one that was noticed from outside, or one with an unhandled error. */
  readonly isEnd: boolean;
  readonly joined: readonly { readonly service: string; readonly fingerprint: string }[];
}
