import type {
  Decision,
  FileContent,
  Incident,
  IncidentStatus,
  IncidentStep,
  IncidentSummary,
  IncidentThresholds,
  ProcessExit,
  Report,
  ReportVersion,
  Severity,
  Trigger,
} from "@whence/protocol";
import type { Kysely } from "kysely";
import type {
  AgentDirectory,
  KeyDirectory,
  OrganizationDirectory,
  PasswordAttempts,
  UsageLedger,
} from "./access/access-db.ts";
import type { AgentAllowance, Allowance, AllowedIncident, InputRoom } from "./access/allowance.ts";
import type { AccountDirectory, Erasures } from "./access/erasure-db.ts";
import type { FeedbackRepository, PredictionDirectory } from "./accuracy/accuracy-db.ts";
import type { AlertRepository, AlertSourceDirectory, AlertSourceRepository } from "./alerts/alert-db.ts";
import type { AuditVerdict } from "./audit/audit-chain.ts";
import type { ConversationDirectory, ConversationRepository } from "./conversations/conversation-db.ts";
import type { FailureHistory } from "./failures/failure-history.ts";
import type { JoiningFailure, OpenIncidents, OpenIncidentsFilter, SplitFailure } from "./failures/joining-db.ts";
import type { GatewayPulses, SilentProcesses } from "./failures/liveness-db.ts";
import type { InvestigationTurns, Outbox } from "./investigations/outbox-db.ts";
import type {
  EvidencePlan,
  MergingIncident,
  RefinementDirectory,
  TakenRefinement,
} from "./investigations/refinement-db.ts";
import type { NotificationDirectory, NotificationRepository } from "./notifications/notification-db.ts";
import type { DeploymentDirectory, DeploymentRepository } from "./releases/deployment-db.ts";
import type { ReleaseDirectory, ReleaseRepository } from "./releases/release-db.ts";
import type {
  AuditLog,
  InstructionsRepository,
  IntegrationDirectory,
  IntegrationRepository,
} from "./settings/settings-db.ts";
import type { PackedText } from "./sources/packed-text.ts";
import type { SourceDirectory, SourceRepository } from "./sources/source-db.ts";

/**
 * Organizations, keys, agents, incidents. A *scope* owns rows: an organization, or an unclaimed agent. Everything that
 * has an owner is reached through {@link ControlDb.scope}; the rest is either needed before the scope is known (whose
 * key is this?) or has no owner (the outbox).
 */
export interface ControlDb {
  readonly keys: KeyDirectory;
  readonly agents: AgentDirectory;
  readonly organizations: OrganizationDirectory;
  readonly passwordAttempts: PasswordAttempts;
  readonly outbox: Outbox;
  readonly turns: InvestigationTurns;
  readonly predictions: PredictionDirectory;
  readonly refinements: RefinementDirectory;
  readonly notifications: NotificationDirectory;
  readonly usage: UsageLedger;
  readonly pulses: GatewayPulses;
  readonly erasures: Erasures;
  readonly accounts: AccountDirectory;
  readonly sourceBundles: SourceDirectory;
  readonly alertSources: AlertSourceDirectory;
  readonly conversations: ConversationDirectory;
  readonly reportedReleases: ReleaseDirectory;
  readonly deployments: DeploymentDirectory;
  readonly integrations: IntegrationDirectory;
  scope(scopeId: string): Scope;

  /** The same database for the identity library, whose tables (user, session, organization, …) live beside ours. */
  readonly identity: { readonly db: Kysely<unknown>; readonly type: "sqlite" | "postgres" };

  /** Resolves when the database answers now; rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`. */
  check(): Promise<void>;

  /**
   * Removes what expired before the moment, `max` of it at most, and returns how much that was: unclaimed agents with
   * all that they own, sessions of people, and counts of attempts at passwords. In small steps beside whatever runs; several processes may do it at once.
   */
  sweep(expiredBefore: Date, max: number): Promise<number>;

  /**
   * Removes the inputs of analyses that are older than their organization keeps things, or else `retentionDays`, `max` of
   * them at most, and returns how many that was. Incidents that have not ended keep theirs.
   */
  expireInputs(which: { now: Date; retentionDays: number; max: number }): Promise<number>;

  /** Gives the disk what was removed; PostgreSQL does so on its own. */
  reclaim(): Promise<void>;

  /**
   * Seals every credential with the first of the secret keys, in small steps beside whatever runs; when it dies, the
   * next call goes on. The other processes must know that key already. `unreadable` ones, which no known key opens, stay
   * as they are.
   */
  rotateSecrets(now: Date): Promise<{ rotated: number; unreadable: number }>;

  /**
   * Whether the audit log of every organization is as it was written, while others may write; and which of the hashes,
   * noted as heads earlier, no log contains.
   */
  verifyAuditLog(knownHeads: readonly string[]): Promise<AuditVerification>;

  /** Everything in the database as it is at one moment, whatever is written meanwhile; a reader may take its time. */
  exportRows(): AsyncIterable<BackupRow>;
  /**
   * Writes what {@link exportRows} read, from either kind of database, all or nothing; investigations that had not
   * ended are asked for again. Rejects with `WHENCE_ERR_CONTROL_NOT_EMPTY` when there is anything already, and with
   * `WHENCE_ERR_BACKUP_UNREADABLE` when the rows are of a newer release, or no backup.
   */
  importRows(rows: AsyncIterable<BackupRow> | Iterable<BackupRow>): Promise<void>;

  close(): Promise<void>;
}

export interface AuditVerification {
  readonly organizations: readonly AuditVerdict[];
  readonly missingHeads: readonly string[];
}

/** One row of a backup. The first ones name the migrations that the database had seen. */
export interface BackupRow {
  readonly table: string;
  readonly row: Readonly<Record<string, string | number | null>>;
}

/** An incident without what only the HTTP interface knows (its URL). */
export type StoredIncident = Omit<Incident, "url">;

/** As a list shows it. */
export type StoredIncidentSummary = Omit<IncidentSummary, "url">;

/** The values that the incidents of a scope have, sorted: what a list can be filtered by. */
export interface IncidentFacets {
  readonly services: readonly string[];
  readonly envs: readonly string[];
}

export interface IncidentCount {
  readonly service: string;
  readonly env: string;
  readonly incidents: number;
}

export interface Scope {
  readonly incidents: IncidentRepository;
  readonly failures: FailureRepository;
  readonly thresholds: ThresholdsRepository;
  readonly silentProcesses: SilentProcesses;
  readonly secrets: SecretRepository;
  readonly feedback: FeedbackRepository;
  readonly instructions: InstructionsRepository;
  readonly integrations: IntegrationRepository;
  readonly audit: AuditLog;
  readonly notifications: NotificationRepository;
  readonly sources: SourceRepository;
  readonly alertSources: AlertSourceRepository;
  readonly alerts: AlertRepository;
  readonly conversations: ConversationRepository;
  readonly releases: ReleaseRepository;
  readonly deployments: DeploymentRepository;
  /**
   * All that the scope has, table by table, a parent before its parts: inputs of analyses unpacked, credentials and keys
   * by their names alone.
   */
  exportRows(): AsyncIterable<BackupRow>;
}

/** When a failure of the scope is an incident. */
export interface ThresholdsRepository {
  /** What was chosen, and the defaults for the rest. */
  read(): Promise<IncidentThresholds>;
  replace(thresholds: IncidentThresholds): Promise<void>;
}

/** Credentials of a scope, by name, encrypted at rest with the service's secret key. */
export interface SecretRepository {
  put(name: string, value: string, now: Date): Promise<void>;
  /** Null when there is none. Rejects with `WHENCE_ERR_SECRET_UNREADABLE` when no known key opens it. */
  get(name: string): Promise<string | null>;
  /** True when this call removed it. */
  remove(name: string): Promise<boolean>;
}

export interface IncidentRepository {
  /** Stores a queued incident with its input, and an outbox message on `investigations` that names it. */
  open(incident: NewIncident): Promise<StoredIncident>;
  /**
   * As {@link open}, unless the scope is an unclaimed agent that has used up its analyze requests, or there is no
   * room for the input. Concurrent calls can't exceed either limit.
   */
  openWithin(incident: NewIncident, allowance: AgentAllowance, room: InputRoom): Promise<AllowedIncident>;
  /** What the inputs of the scope take of the disk, in bytes. */
  inputBytes(): Promise<number>;
  /** With what became of its predictions and what is said of its report. Null also for an incident of another scope. */
  find(id: string): Promise<StoredIncident | null>;
  /** Whether it is an analysis that was asked for with this key. */
  wasAskedFor(id: string, keyId: string): Promise<boolean>;
  /** Newest first; `before` is the id of the last one of the page before. */
  list(filter: IncidentFilter): Promise<readonly StoredIncidentSummary[]>;
  facets(): Promise<IncidentFacets>;
  /** How many opened since then (RFC 3339), by service and environment. */
  countByService(since: string): Promise<readonly IncidentCount[]>;
  /** What there is to investigate. Null also when it was removed. */
  input(id: string): Promise<IncidentInput | null>;
  /**
   * Takes the incident for an investigation: `queued` or (resumed) `investigating` becomes `investigating`; earlier
   * steps are removed. Null when it has ended already. Otherwise the attempt's number: what an earlier attempt still
   * writes (an analyzer that was stalled past its hold) changes nothing from here on.
   */
  begin(id: string, now: Date): Promise<number | null>;
  addStep(id: string, attempt: number, step: IncidentStep): Promise<void>;
  steps(id: string, afterSeq: number): Promise<readonly IncidentStep[]>;
  /**
   * Raises an incident to at least this severity. Rules that wait for that severity get the notifications they missed;
   * rules that already got them don't get them twice. Does nothing when a later attempt has the incident.
   */
  raiseSeverity(id: string, attempt: number, severity: Severity, now: Date): Promise<void>;
  /** Ends an `investigating` incident; false when it has ended already, or a later attempt has it. */
  complete(id: string, attempt: number, report: Report, now: Date, plan?: EvidencePlan): Promise<boolean>;
  fail(id: string, attempt: number, failure: { code: string; message: string }, now: Date): Promise<boolean>;
  /** Takes a report that is due for refinement; null when it is final, or when the incident is investigated again. */
  beginRefinement(id: string): Promise<TakenRefinement | null>;
  /**
   * Notes that evidence was looked for again. A report that says something else becomes the next version; of one that
   * does not, its impact alone is kept. Null: there was nothing new. False when a later attempt has the incident.
   */
  refine(id: string, attempt: number, report: Report | null, now: Date, plan: EvidencePlan): Promise<boolean>;
  /** The versions of the report, the newest first: the latest twenty. */
  reports(id: string): Promise<readonly ReportVersion[]>;
  /**
   * Queues an incident that has ended for another investigation, with the message that asks for it. Its report stays
   * until the next one replaces it. `under-way` when it has not ended, or there is none; `input-removed` when there is
   * nothing left to investigate.
   */
  requeue(id: string): Promise<"queued" | "under-way" | "input-removed">;
  /** Removes an incident with all that belongs to it, and what is remembered of its failures. False when there is none. */
  remove(id: string): Promise<boolean>;
}

export interface IncidentFilter {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly service?: string | undefined;
  readonly env?: string | undefined;
  readonly status?: IncidentStatus | undefined;
  readonly severity?: Severity | undefined;
  readonly trigger?: Trigger["kind"] | undefined;
  readonly fingerprint?: string | undefined;
  /** RFC 3339: opened then or later. */
  readonly since?: string | undefined;
  /** RFC 3339: opened before. */
  readonly until?: string | undefined;
  /** Text that the id, the title, the service or the root cause contains, in whatever case. */
  readonly search?: string | undefined;
}

export interface NewIncident {
  readonly title: string;
  readonly severity: Severity;
  readonly trigger: Trigger;
  readonly service: string | null;
  readonly env: string | null;
  readonly fingerprint: string | null;
  readonly decision: Decision;
  readonly input: IncidentInput | PackedText;
  /** The key that brought the input; absent for a person, and for telemetry. */
  readonly askedByKeyId?: string | null;
  /** Which of its scope is investigated first: higher before lower. 0 by default. */
  readonly priority?: number;
  /** Its notifications wait until then, or until it is known whether it belongs to another incident. */
  readonly heldUntil?: Date | undefined;
  readonly now: Date;
}

/** What an investigation starts from: pasted text with files, an event in the store, or processes that stopped reporting. */
export type IncidentInput =
  | { readonly kind: "text"; readonly errorLog: string; readonly files: readonly FileContent[] }
  | { readonly kind: "event"; readonly eventId: string }
  | { readonly kind: "death"; readonly death: ProcessExit };

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
