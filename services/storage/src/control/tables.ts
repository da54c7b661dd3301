import type { Generated } from "kysely";
import type { IdentityTables } from "./access/identity-tables.ts";
import type { PredictionTable, ReportScoreTable, VerdictTable } from "./accuracy/accuracy-tables.ts";
import type { AlertSourceTable, AlertTable } from "./alerts/alert-tables.ts";
import type { ArtifactChunkTable, DebugFileTable } from "./artifacts/artifact-tables.ts";
import type { ConversationPostTable, ConversationTable } from "./conversations/conversation-tables.ts";
import type { IncidentFailureTable, IncidentOpeningTable } from "./failures/joined-failure-tables.ts";
import type { ModelTables } from "./models/model-tables.ts";
import type { MonitorResultTable, MonitorTable } from "./monitors/monitor-tables.ts";
import type {
  NotificationDeliveryTable,
  NotificationHeldBackTable,
  NotificationOccasionTable,
  NotificationRuleTable,
} from "./notifications/notification-tables.ts";
import type { IncidentActivityTable, OwnershipRuleTable } from "./ownership/ownership-tables.ts";
import type { PlaceWatchTable } from "./place-watches/place-watch-tables.ts";
import type { DeploymentTable } from "./releases/deployment-table.ts";
import type { ReleaseCommitTable } from "./releases/release-commit-table.ts";
import type { ReportedReleaseTable } from "./releases/release-table.ts";
import type { IncidentShareTable } from "./shares/share-tables.ts";
import type {
  SourceBundleTable,
  SourceContentTable,
  SourceManifestTable,
  WantedSourceTable,
} from "./sources/source-tables.ts";
import type { SavedViewTable } from "./views/view-tables.ts";

/**
 * Our tables as Kysely sees them. Ids are text; times are RFC 3339 UTC text with milliseconds, which sorts as it
 * reads; JSON is text. Nothing here is particular to one database.
 */
export interface ControlTables extends IdentityTables, ModelTables {
  api_key: ApiKeyTable;
  agent: AgentTable;
  incident: IncidentTable;
  incident_input: IncidentInputTable;
  incident_file: IncidentFileTable;
  incident_step: IncidentStepTable;
  incident_report: IncidentReportTable;
  incident_activity: IncidentActivityTable;
  incident_failure: IncidentFailureTable;
  incident_opening: IncidentOpeningTable;
  report_score: ReportScoreTable;
  prediction: PredictionTable;
  verdict: VerdictTable;
  failure: FailureTable;
  failure_decision: FailureDecisionTable;
  outbox: OutboxTable;
  investigation_turn: InvestigationTurnTable;
  organization_settings: OrganizationSettingsTable;
  event_usage: EventUsageTable;
  secret: SecretTable;
  instructions: InstructionsTable;
  connection: ConnectionTable;
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  ownership_rule: OwnershipRuleTable;
  saved_view: SavedViewTable;
  incident_share: IncidentShareTable;
  place_watch: PlaceWatchTable;
  notification_rule: NotificationRuleTable;
  notification_occasion: NotificationOccasionTable;
  notification_delivery: NotificationDeliveryTable;
  notification_held_back: NotificationHeldBackTable;
  first_owner: FirstOwnerTable;
  password_attempt: PasswordAttemptTable;
  incident_thresholds: IncidentThresholdsTable;
  gateway_pulse: GatewayPulseTable;
  exited_process: ExitedProcessTable;
  erasure: ErasureTable;
  alert_source: AlertSourceTable;
  alert: AlertTable;
  conversation: ConversationTable;
  conversation_post: ConversationPostTable;
  deployment: DeploymentTable;
  monitor: MonitorTable;
  monitor_result: MonitorResultTable;
  reported_release: ReportedReleaseTable;
  release_commits: ReleaseCommitTable;
  source_manifest: SourceManifestTable;
  source_bundle: SourceBundleTable;
  source_content: SourceContentTable;
  wanted_source: WantedSourceTable;
  artifact_chunk: ArtifactChunkTable;
  debug_file: DebugFileTable;
}

export interface ApiKeyTable {
  id: string;
  /** SHA-256 (hex) of the key. */
  hash: string;
  prefix: string;
  name: string;
  scope_id: string;
  /** Null for an organization's own key. */
  agent_id: string | null;
  /** What it may do; null for an agent's key, which may do what every agent's may. */
  access_scope: string | null;
  /** The project of a key for Sentry's clients; null for every other key. */
  project_json: string | null;
  created_at: string;
  revoked_at: string | null;
  /** Of organizations' own keys and agents' alike; coarse, and null when it was never used since that is kept. */
  last_used_at: string | null;
}

export interface AgentTable {
  id: string;
  source: string;
  claim_token_hash: string;
  created_at: string;
  expires_at: string;
  /** Null while unclaimed; set together with `claimed_at`. */
  organization_id: string | null;
  claimed_at: string | null;
  /** The address that asked for the registration. */
  registered_from: string | null;
  /** The member whose rights its key is within: who claimed it, or the owner who confirmed it last. */
  responsible_id: string | null;
  responsible_name: string | null;
  /** Null: only claimed so far. */
  confirmed_at: string | null;
}

export interface IncidentTable {
  id: string;
  scope_id: string;
  status: string;
  title: string;
  severity: string;
  trigger_kind: string;
  trigger_json: string;
  service: string | null;
  env: string | null;
  fingerprint: string | null;
  decision_json: string;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  failure_json: string | null;
  report_json: string | null;
  /** Of the report, for lists; null without one. */
  category: string | null;
  root_cause_summary: string | null;
  confidence: number | null;
  /** How often an investigation of it began; the latest one alone may write. */
  attempt: number;
  /** Occurrences of its failure since it opened, including the first; 0 when they aren't counted. */
  events: Generated<number>;
  last_event_at: string | null;
  /** Of the report; 0 without one. */
  version: Generated<number>;
  /** Its notifications wait until then, or until it is known whether it belongs to another incident. */
  held_until: string | null;
  /** The time of the next refinement; null once the report is final. */
  refine_at: string | null;
  refined_at: string | null;
  /** When the last planned look is due. */
  refined_until: string | null;
  /** A digest of the report's evidence, compared to detect anything new. */
  evidence_mark: string | null;
  merged_into: string | null;
  /** Its status before someone merged it; null: it wasn't merged, or it was found to be the same problem. */
  merged_status: string | null;
  /** The key that brought the input; null for a person's, and for telemetry's own incidents. */
  asked_by_key_id: string | null;
  /** The stored size of the input, in bytes; 0 once it was removed, and without text. */
  input_bytes: Generated<number>;
  /** What people decided about it, and when a mute for a time ends; for lists. */
  state: Generated<string>;
  muted_until: string | null;
  /** Null: no one acted on it, and its failure didn't return. */
  lifecycle_json: string | null;
  /** The membership of its owner. */
  owner_id: string | null;
  /** When its owner last changed, or was let go; null: no one ever took it. */
  owner_since: string | null;
  acknowledged_json: string | null;
  /** The pull request that a member opened with its patch. */
  pull_request_json: string | null;
}

/** A report as it was written. */
export interface IncidentReportTable {
  incident_id: string;
  version: number;
  at: string;
  report_json: string;
}

export interface IncidentInputTable {
  incident_id: string;
  kind: string;
  event_id: string | null;
  /** Compressed. Null when there is no text, or it was removed. */
  error_log: Uint8Array | null;
  exit_json: string | null;
  /** What was seen of the failure in watched runs of its command. */
  observed_json: string | null;
}

export interface IncidentFileTable {
  incident_id: string;
  position: number;
  name: string;
  /** Compressed. */
  content: Uint8Array;
}

export interface IncidentStepTable {
  incident_id: string;
  seq: number;
  at: string;
  step: string;
  detail: string;
  result: string | null;
}

export interface FailureTable {
  scope_id: string;
  fingerprint: string;
  env: string;
  service: string;
  title: string;
  first_seen: string;
  last_seen: string;
  incident_id: string | null;
  /** Null, like `history_json` and `counted`, only inside the transaction that makes the row. */
  decision_json: string | null;
  decided_at: string;
  history_json: string | null;
  /** The keys that distinguish the latest counted occurrences, the newest last. */
  counted: string | null;
}

export interface FailureDecisionTable {
  scope_id: string;
  fingerprint: string;
  env: string;
  outcome: string;
  rule: string;
  reason: string;
  first_at: string;
  last_at: string;
  last_event_id: string;
}

export interface OutboxTable {
  id: string;
  topic: string;
  body: string;
  /** The owner. */
  scope_id: string;
  /** Higher ones come first within the scope. */
  priority: Generated<number>;
}

export interface InvestigationTurnTable {
  message_id: string;
  scope_id: string;
  /** The process that published it. */
  publisher: string;
  began_at: string;
}

export interface OrganizationSettingsTable {
  organization_id: string;
  retention_days: number | null;
  events_per_day: number | null;
  input_bytes_max: number | null;
  /** 1: users are stored as sent. */
  plain_users: number | null;
  /** 1: members can't sign in with a password. */
  passwords_off: number | null;
}

export interface EventUsageTable {
  organization_id: string;
  /** `2026-03-01`, UTC. */
  day: string;
  events: number;
}

export interface SecretTable {
  scope_id: string;
  name: string;
  envelope: string;
  /** The key that encrypted the envelope, so that a rotation finds what remains to do. */
  key_id: string;
  updated_at: string;
}

export interface IncidentThresholdsTable {
  scope_id: string;
  thresholds_json: string;
}

/** A process that stopped reporting and was decided about. */
export interface ExitedProcessTable {
  scope_id: string;
  instance: string;
  decided_at: string;
}

/** One row for each gateway that ran lately. */
export interface GatewayPulseTable {
  id: string;
  taking_since: string;
  at: string;
}

export interface InstructionsTable {
  scope_id: string;
  version: number;
  text: string;
  changed_at: string;
  user_id: string;
  user_name: string;
}

export interface ConnectionTable {
  scope_id: string;
  kind: string;
  /** What its owner calls it, among several of a kind; empty without a name. */
  name: string;
  vendor: string;
  /** What the credentials belong to, as the vendor says. */
  belongs_to: string;
  /** Without credentials, which are secrets of the scope. */
  inputs_json: string;
  connected_at: string;
  user_id: string;
  user_name: string;
  /** When it last answered; null when it hasn't yet. */
  answered_at: string | null;
  /** When it last gave nothing, and why. */
  failed_at: string | null;
  failure: string | null;
  /** Findings since it was connected. */
  findings: Generated<number>;
  /** The process that is renewing its credentials, and the time until which no other may. */
  renewal_id: string | null;
  renewal_until: string | null;
}

export interface AuditEntryTable {
  id: string;
  scope_id: string;
  at: string;
  user_id: string;
  user_name: string;
  /** Null: the name was removed, and so below. */
  user_name_salt: string | null;
  /** SHA-256 (hex) of the salt and the name. */
  user_name_digest: string;
  action: string;
  target: string;
  target_salt: string | null;
  target_digest: string;
  /** Its number in its organization, from 1. */
  seq: number;
  /** SHA-256 (hex) of the entry, from the digests of its name and target and the hash of the entry before. */
  hash: string;
}

/** The last entry of an organization's audit log. */
export interface AuditHeadTable {
  scope_id: string;
  seq: number;
  hash: string;
}

export interface PasswordAttemptTable {
  /** SHA-256 (hex) of the account, and of the browser if it is known there; also for an account that doesn't exist. */
  aim: string;
  /** Since the last right password. */
  attempts: number;
  last_at: string;
  /** Before then the next one is refused. */
  next_at: string;
}

/** Data that an organization asked to be deleted. */
export interface ErasureTable {
  id: string;
  scope_id: string;
  /** Null: the whole scope. */
  service: string | null;
  requested_at: string;
}

/** One row, since the first owner became one. */
export interface FirstOwnerTable {
  id: string;
  user_id: string;
  granted_at: string;
}
