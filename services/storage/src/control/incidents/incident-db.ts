import type {
  ActivityPage,
  Actor,
  Decision,
  FileContent,
  Incident,
  IncidentSort,
  IncidentStatus,
  IncidentStep,
  IncidentSummary,
  LifecycleState,
  Observed,
  ProcessExit,
  PullRequest,
  Report,
  ReportVersion,
  Severity,
  Trigger,
} from "@whence/protocol";
import type { AgentAllowance, InputQuota, InputRoom } from "../access/allowance.ts";
import type { EvidencePlan, ReportSurroundings, TakenRefinement } from "../investigations/refinement-db.ts";
import type { PackedText } from "../sources/packed-text.ts";

/** The incidents of a scope. */
export interface IncidentScope {
  readonly incidents: IncidentRepository;
}

export interface IncidentRepository {
  /** Stores a queued incident with its input, and an outbox message on `investigations` that names it. */
  open(incident: NewIncident): Promise<StoredIncident>;
  /**
   * Like {@link open}, unless an unclaimed agent has used up its allowance, or the input exceeds a quota. Concurrent
   * calls can't exceed either.
   */
  openWithin(incident: NewIncident, allowance: AgentAllowance, room: InputRoom): Promise<AllowedIncident>;
  /** The size of the scope's stored inputs, in bytes. */
  inputBytes(): Promise<number>;
  /**
   * Returns an incident with its predictions' outcomes and its feedback. Null also for an incident of another scope.
   */
  find(id: string): Promise<StoredIncident | null>;
  /** Whether the incident is an analysis that this key requested. */
  wasAskedFor(id: string, keyId: string): Promise<boolean>;
  /** Newest first, unless asked otherwise; `before` is the last one of the page before. */
  list(filter: IncidentFilter): Promise<readonly StoredIncidentSummary[]>;
  facets(): Promise<IncidentFacets>;
  /** How many opened since then (RFC 3339), by service and environment. */
  countByService(since: string): Promise<readonly IncidentCount[]>;
  /** The input of the investigation. Null also when it was removed. */
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
  complete(id: string, attempt: number, report: Report, now: Date, around?: ReportSurroundings): Promise<boolean>;
  fail(id: string, attempt: number, failure: { code: string; message: string }, now: Date): Promise<boolean>;
  /**
   * Takes a report that is due for refinement, which is due again at `heldUntil` if that comes to nothing; null when it is
   * final, or when the incident is investigated again.
   */
  beginRefinement(id: string, heldUntil: Date): Promise<TakenRefinement | null>;
  /**
   * Records another look for evidence. A report that differs becomes the next version; of an equal one only the impact
   * is updated; null: nothing new. A look that evidence asked for meanwhile comes before the planned one. False when a
   * later attempt has the incident.
   */
  refine(id: string, attempt: number, report: Report | null, now: Date, plan: EvidencePlan): Promise<boolean>;
  /** The versions of the report, the newest first: the latest twenty. */
  reports(id: string): Promise<readonly ReportVersion[]>;
  /** What happened to an incident, the newest first, page by page; `before` is the `next` of a page. */
  activity(id: string, before?: string): Promise<ActivityPage>;
  /**
   * Records the pull request that a member opened with the incident's patch, with its activity and its entry in the
   * audit log. Returns the one that the incident has: the first one stays. Null when there is no such incident.
   */
  recordPullRequest(id: string, opened: OpenedPullRequest): Promise<PullRequest | null>;
  /**
   * Queues an incident that has ended for another investigation, with the message that asks for it. Its report stays
   * until the next one replaces it. `under-way` when it has not ended, or there is none; `input-removed` when there is
   * nothing left to investigate.
   */
  requeue(id: string): Promise<"queued" | "under-way" | "input-removed">;
  /**
   * Removes an incident with everything that belongs to it, and the history of its failures. Incidents that people
   * merged into it become separate again. False for an unknown incident.
   */
  remove(id: string, by: Actor, now: Date): Promise<boolean>;
}

/** A pull request, and the member who opened it. */
export interface OpenedPullRequest {
  readonly pullRequest: PullRequest;
  readonly by: Actor;
  readonly now: Date;
}

/** An incident without its URL, which only the HTTP interface knows. */
export type StoredIncident = Omit<Incident, "url">;

/** An incident as a list shows it. */
export type StoredIncidentSummary = Omit<IncidentSummary, "url">;

/** The place of an incident in an order: its id, and its `sortValue`. */
export interface IncidentPosition {
  readonly id: string;
  readonly value: string | number;
}

export interface IncidentFilter {
  readonly limit: number;
  /** `newest` by default. */
  readonly sort?: IncidentSort | undefined;
  readonly before?: IncidentPosition | undefined;
  readonly service?: string | undefined;
  readonly env?: string | undefined;
  readonly status?: IncidentStatus | undefined;
  /** What people decided about it, as of a moment (RFC 3339). */
  readonly state?: { readonly is: LifecycleState; readonly at: string } | undefined;
  readonly severity?: Severity | undefined;
  readonly trigger?: Trigger["kind"] | undefined;
  readonly fingerprint?: string | undefined;
  /** RFC 3339: opened then or later. */
  readonly since?: string | undefined;
  /** RFC 3339: opened before. */
  readonly until?: string | undefined;
  /** Each of them holds. */
  readonly terms?: readonly IncidentTerm[] | undefined;
}

/**
 * A term of a search: a field has one of the values, or the text is contained in the id, title, service or root cause,
 * case-insensitive. Negated, that must not be so.
 */
export type IncidentTerm = { readonly isNegated: boolean } & (
  | {
      readonly field: "service" | "env" | "status" | "severity" | "trigger" | "fingerprint";
      readonly oneOf: readonly string[];
    }
  /** Releases in which its failures occurred. */
  | { readonly field: "release"; readonly oneOf: readonly string[] }
  /** What people decided about it, as of a moment (RFC 3339). */
  | { readonly field: "state"; readonly oneOf: readonly LifecycleState[]; readonly at: string }
  /** Members' ids or email addresses; null: no one owns it. */
  | { readonly field: "owner"; readonly oneOf: readonly (string | null)[] }
  | { readonly field: "text"; readonly text: string }
);

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
  /** The order within the scope: higher first. 0 by default. */
  readonly priority?: number;
  /** Its notifications wait until then, or until it is known whether it belongs to another incident. */
  readonly heldUntil?: Date | undefined;
  readonly now: Date;
}

/** What an investigation starts from: pasted text with files, an event in the store, or processes that stopped reporting. */
export type IncidentInput =
  | {
      readonly kind: "text";
      readonly errorLog: string;
      readonly files: readonly FileContent[];
      /** What was seen of the failure in watched runs of its command; absent where none was asked for. */
      readonly observed?: Observed;
    }
  | { readonly kind: "event"; readonly eventId: string }
  | { readonly kind: "process-exit"; readonly exit: ProcessExit };

/** The outcome of opening an incident within an allowance and quotas. */
export type AllowedIncident =
  | { readonly outcome: "opened"; readonly incident: StoredIncident }
  /** `freeAt` is when the next incident is allowed: the oldest one counted leaves the span. */
  | { readonly outcome: "exhausted"; readonly freeAt: Date }
  /** The agent has `openMax` unfinished incidents. */
  | { readonly outcome: "busy" }
  /** The input would exceed this quota. */
  | { readonly outcome: "no-room"; readonly quota: InputQuota; readonly bytesMax: number };
