/**
 * Every table that holds data, ours and the identity library's, with the columns that tell its rows apart. A table comes
 * after those it refers to, so that rows can be written in the order in which they are read.
 */
export const backedUpTables: readonly BackedUpTable[] = [
  { name: "user", key: ["id"] },
  { name: "session", key: ["id"] },
  { name: "account", key: ["id"] },
  { name: "verification", key: ["id"] },
  { name: "twoFactor", key: ["id"] },
  { name: "organization", key: ["id"] },
  { name: "member", key: ["id"] },
  { name: "invitation", key: ["id"] },
  { name: "first_owner", key: ["id"] },
  { name: "password_attempt", key: ["aim"] },
  { name: "organization_settings", key: ["organization_id"] },
  { name: "incident_thresholds", key: ["scope_id"] },
  { name: "gateway_pulse", key: ["id"] },
  { name: "exited_process", key: ["scope_id", "instance"] },
  { name: "agent", key: ["id"] },
  { name: "api_key", key: ["id"] },
  { name: "incident", key: ["id"] },
  { name: "incident_input", key: ["incident_id"], bytes: ["error_log"] },
  { name: "incident_file", key: ["incident_id", "position"], bytes: ["content"] },
  { name: "incident_step", key: ["incident_id", "seq"] },
  { name: "incident_report", key: ["incident_id", "version"] },
  { name: "incident_activity", key: ["id"] },
  { name: "incident_share", key: ["id"] },
  { name: "place_watch", key: ["id"] },
  { name: "incident_failure", key: ["incident_id", "fingerprint", "env"] },
  { name: "incident_opening", key: ["scope_id"] },
  { name: "report_score", key: ["incident_id"] },
  { name: "prediction", key: ["incident_id", "position"] },
  { name: "verdict", key: ["incident_id", "author_kind", "author_id", "revision"] },
  { name: "failure", key: ["scope_id", "fingerprint", "env"] },
  { name: "failure_decision", key: ["scope_id", "fingerprint", "env", "outcome", "rule"] },
  { name: "outbox", key: ["id"] },
  { name: "investigation_turn", key: ["message_id"] },
  { name: "event_usage", key: ["organization_id", "day"] },
  { name: "secret", key: ["scope_id", "name"] },
  { name: "instructions", key: ["scope_id", "version"] },
  { name: "connection", key: ["scope_id", "kind", "name"] },
  { name: "model_settings", key: ["scope_id"] },
  { name: "model_refusal", key: ["scope_id"] },
  { name: "model_usage", key: ["scope_id", "day"] },
  { name: "model_run", key: ["id"] },
  { name: "model_prompt", key: ["run_id", "position"] },
  { name: "audit_entry", key: ["id"] },
  { name: "audit_head", key: ["scope_id"] },
  { name: "erasure", key: ["id"] },
  { name: "ownership_rule", key: ["scope_id", "position"] },
  { name: "saved_view", key: ["id"] },
  { name: "notification_rule", key: ["id"] },
  { name: "notification_occasion", key: ["id"] },
  { name: "notification_delivery", key: ["id"] },
  { name: "notification_held_back", key: ["rule_id", "occasion"] },
  { name: "alert_source", key: ["id"] },
  { name: "alert", key: ["scope_id", "source_id", "key"] },
  { name: "monitor", key: ["id"] },
  { name: "monitor_result", key: ["monitor_id", "revision"] },
  { name: "conversation", key: ["id"] },
  { name: "conversation_post", key: ["id"] },
  { name: "deployment", key: ["scope_id", "source_id", "key"] },
  { name: "reported_release", key: ["scope_id", "service", "release", "env"] },
  { name: "release_commits", key: ["scope_id", "service", "release"] },
  { name: "source_manifest", key: ["scope_id", "sha256"], bytes: ["text"] },
  { name: "source_bundle", key: ["scope_id", "service", "release", "origin"] },
  { name: "source_content", key: ["scope_id", "sha256"], bytes: ["words", "text"] },
  { name: "wanted_source", key: ["scope_id", "service", "release"] },
  { name: "artifact_chunk", key: ["scope_id", "sha1"], bytes: ["data"] },
  { name: "debug_file", key: ["scope_id", "service", "debug_id"] },
];

export interface BackedUpTable {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns that hold bytes, which a backup has in base64. */
  readonly bytes?: readonly string[];
}

/** The table of rows that name the migrations which a backup has seen; they come first. */
export const migrationRows = "migration";

/** Rows read or written at once. A row may hold a file of 1 MiB. */
export const rowsAtOnce = 50;

/** Tables by name, for code that treats them all alike. */
export type AnyTables = Record<string, Record<string, unknown>>;
