import type { Decision, IncidentStatus, IncidentThresholds, LifecycleState } from "@whence/protocol";
import type { Allowance } from "../access/allowance.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import type { MergingIncident } from "../investigations/refinement-db.ts";
import type { FailureHistory } from "./failure-history.ts";
import type { JoiningFailure, OpenIncidents, OpenIncidentsFilter, SplitFailure } from "./joining-db.ts";
import type { ExitedProcesses } from "./liveness-db.ts";

/** The failures of a scope, and what decides whether one is an incident. */
export interface FailureScope {
  readonly failures: FailureRepository;
  readonly thresholds: ThresholdsRepository;
  readonly exitedProcesses: ExitedProcesses;
}

/** A failure: one fingerprint in one environment, and what was decided about it. */
export interface FailureRepository {
  /**
   * Decides about a group of occurrences in one transaction, so two analyzers with the same failure open one incident.
   * `decide` gets the stored failure (null when new) and may be called again when the transaction is retried. The
   * decision is recorded; an `opened` one stores the incident as {@link IncidentRepository.open} does, and the
   * occurrences count toward the failure's incident. Occurrences among the latest hundred already decided about change
   * nothing: their decision is returned.
   */
  decide(occurrences: Occurrences, decide: (known: KnownFailure | null) => DecidedFailure): Promise<Decision>;
  /**
   * Like {@link decide}, for a caller that has read the open incidents and may have the failure join one. Returns null and
   * changes nothing when an incident was opened or renamed since, or when `decide` returns null: the caller then reads the
   * incidents again.
   */
  decideAsSeen(
    seen: Pick<OpenIncidents, "opened">,
    occurrences: Occurrences,
    decide: (known: KnownFailure | null) => DecidedFailure | JoiningFailure | null,
  ): Promise<Decision | null>;
  /**
   * Merges an incident whose notifications are held into another one, with all its failures, as if it had never opened.
   * Returns false and changes nothing when they are no longer held, or when either incident has since been renamed
   * after another failure.
   */
  merge(merging: MergingIncident): Promise<boolean>;
  /** Releases the held notifications of an incident; false when they weren't held. */
  release(incidentId: string, now: Date): Promise<boolean>;
  /** Permanently gives a failure that joined an incident one of its own. Null if it hadn't joined that one. */
  splitOff(split: SplitFailure): Promise<StoredIncident | null>;
  /** The incidents of an environment that telemetry opened since then, and the named one. */
  openIncidents(filter: OpenIncidentsFilter): Promise<OpenIncidents>;
  find(fingerprint: string, env: string): Promise<KnownFailure | null>;
  /** Latest decisions first. */
  list(filter: FailureFilter): Promise<readonly KnownFailure[]>;
  /** Every decision ever taken about a failure, one row for each outcome and rule, the latest first. */
  decisions(fingerprint: string, env: string): Promise<readonly RecordedDecision[]>;
}

export interface FailureFilter {
  readonly limit: number;
  /** Of the latest decision. */
  readonly outcome?: Decision["outcome"] | undefined;
  readonly rule?: string | undefined;
}

/** Occurrences of one failure in one environment that are decided about together. */
export interface Occurrences {
  readonly fingerprint: string;
  readonly service: string;
  readonly env: string;
  /** Of the last one; empty: unknown. */
  readonly release: string;
  /** The event that identifies the group: redelivered occurrences have the same id. */
  readonly eventId: string;
  readonly events: number;
  /** RFC 3339: when the first and the last happened. */
  readonly firstAt: string;
  readonly lastAt: string;
  readonly now: Date;
}

export interface KnownFailure {
  readonly fingerprint: string;
  readonly service: string;
  readonly env: string;
  readonly title: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The incident it belongs to; null when every occurrence was skipped. */
  readonly incidentId: string | null;
  readonly incidentStatus: IncidentStatus | null;
  /** What people decided about that incident. */
  readonly incidentState: LifecycleState | null;
  /** Whether the notifications of the incident it belongs to are held. */
  readonly isHeld: boolean;
  /** Why it counts toward another failure's incident; null for its own. */
  readonly joined: KnownJoining | null;
  readonly history: FailureHistory;
  /** The latest decision, and when it was taken. */
  readonly decision: Decision;
  readonly decidedAt: string;
}

/** Why a failure counts toward the incident of another one, and when that was last checked. */
export interface KnownJoining {
  readonly rule: string;
  readonly reason: string;
  readonly checkedAt: string;
  /** Someone merged their incidents, so it stays until someone separates them. */
  readonly isByHand: boolean;
}

export interface RecordedDecision extends Decision {
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastEventId: string;
}

export type DecidedFailure = {
  readonly title: string;
  readonly history: FailureHistory;
  /** Whether the failure spikes, which ends a mute until it rises. */
  readonly isRising?: boolean;
} & (
  | {
      readonly decision: Decision & { outcome: "opened" };
      readonly incident: NewIncident;
      /** The scope's allowance of incidents from telemetry, this one included, and the decision beyond it. */
      readonly allowance: Allowance;
      readonly otherwise: {
        readonly decision: Decision & { outcome: "skipped" };
        readonly history: FailureHistory;
      };
    }
  | {
      readonly decision: Decision & { outcome: "joined" | "skipped" };
      /** The new priority of the failure's incident, while its investigation isn't published yet. */
      readonly priority?: number;
      /** Set when it was checked that the failure still belongs to the incident that it joined. */
      readonly checked?: { readonly reason: string };
    }
);

/** The thresholds at which a failure of the scope becomes an incident. */
export interface ThresholdsRepository {
  /** The chosen thresholds, with defaults for the rest. */
  read(): Promise<IncidentThresholds>;
  replace(thresholds: IncidentThresholds): Promise<void>;
}
