import type { Decision, IncidentStatus, IncidentThresholds } from "@whence/protocol";
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
   * Decides about occurrences that came together, in one transaction, so that two analyzers with the same failure open
   * one incident. `decide` sees the failure as stored (null when new) and may be called again when the transaction is
   * retried. The decision is recorded; an `opened` one stores the incident as {@link IncidentRepository.open} does, and
   * the occurrences count on the incident that the failure belongs to then. Occurrences that are among the latest
   * hundred that were decided about change nothing, and the answer is the decision that stands.
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
   * Has an incident whose notifications are held join another one, with all its failures, as if it had never opened.
   * Returns false and changes nothing when they are no longer held, or when either incident has since been renamed after
   * another failure.
   */
  merge(merging: MergingIncident): Promise<boolean>;
  /** Lets the notifications of an incident go; false when they were not held. */
  release(incidentId: string, now: Date): Promise<boolean>;
  /** Permanently gives a failure that joined an incident one of its own. Null if it hadn't joined that one. */
  splitOff(split: SplitFailure): Promise<StoredIncident | null>;
  /** The incidents of telemetry of an environment that opened since then, and the one named. */
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
  /** Of the one that stands for them, and names them: the same ones come again under the same id. */
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
  /** Whether the notifications of the incident it belongs to are held. */
  readonly isHeld: boolean;
  /** Why it counts on an incident that another failure opened, and when that was last asked; null for its own. */
  readonly joined: { readonly rule: string; readonly reason: string; readonly checkedAt: string } | null;
  readonly history: FailureHistory;
  /** The latest decision, and when it was taken. */
  readonly decision: Decision;
  readonly decidedAt: string;
}

export interface RecordedDecision extends Decision {
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastEventId: string;
}

export type DecidedFailure = {
  readonly title: string;
  readonly history: FailureHistory;
} & (
  | {
      readonly decision: Decision & { outcome: "opened" };
      readonly incident: NewIncident;
      /** How many incidents of telemetry the scope may have opened, this one included, and what is decided beyond it. */
      readonly allowance: Allowance;
      readonly otherwise: {
        readonly decision: Decision & { outcome: "skipped" };
        readonly history: FailureHistory;
      };
    }
  | {
      readonly decision: Decision & { outcome: "joined" | "skipped" };
      /** Of the incident that the failure belongs to, while its investigation has not been asked for. */
      readonly priority?: number;
      /** It was asked whether the failure still belongs to the incident that it joined, and it does. */
      readonly checked?: { readonly reason: string };
    }
);

/** When a failure of the scope is an incident. */
export interface ThresholdsRepository {
  /** What was chosen, and the defaults for the rest. */
  read(): Promise<IncidentThresholds>;
  replace(thresholds: IncidentThresholds): Promise<void>;
}
