import { type Kysely, sql } from "kysely";
import { type AnyTables, rowsAtOnce } from "./backup/backed-up-tables.ts";
import type { BackupRow } from "./backup/backup-db.ts";
import { plainRow } from "./backup/export-rows.ts";
import { unpack } from "./sources/packed-text.ts";
import type { ControlTables } from "./tables.ts";

interface ExportedTable {
  readonly name: string;
  /** Tells the rows of a scope apart. */
  readonly key: readonly string[];
  /** The column that names the scope; absent for what belongs to an incident. */
  readonly scope?: "scope_id" | "organization_id" | "organizationId";
  /** Absent: all columns. */
  readonly columns?: readonly string[];
  /** Compressed text. */
  readonly packed?: string;
}

/**
 * The tables of a scope's export. Hashes of keys and tokens, and sealed credentials, are useless elsewhere and left
 * out.
 */
const exportedTables: readonly ExportedTable[] = [
  { name: "organization_settings", key: ["organization_id"], scope: "organization_id" },
  { name: "incident_thresholds", key: ["scope_id"], scope: "scope_id" },
  { name: "member", key: ["id"], scope: "organizationId" },
  { name: "agent", key: ["id"], scope: "organization_id", columns: ["id", "source", "created_at", "claimed_at"] },
  {
    name: "api_key",
    key: ["id"],
    scope: "scope_id",
    columns: ["id", "prefix", "name", "agent_id", "project_json", "created_at", "revoked_at", "last_used_at"],
  },
  { name: "incident", key: ["id"], scope: "scope_id" },
  { name: "incident_input", key: ["incident_id"], packed: "error_log" },
  { name: "incident_file", key: ["incident_id", "position"], packed: "content" },
  { name: "incident_step", key: ["incident_id", "seq"] },
  { name: "incident_report", key: ["incident_id", "version"] },
  { name: "incident_activity", key: ["id"] },
  {
    name: "incident_share",
    key: ["id"],
    scope: "scope_id",
    columns: ["id", "incident_id", "created_at", "user_name", "expires_at", "opened", "last_opened_at"],
  },
  {
    name: "place_watch",
    key: ["id"],
    scope: "scope_id",
    columns: [
      "id",
      "incident_id",
      "service",
      "env",
      "release",
      "places_json",
      "created_at",
      "user_name",
      "expires_at",
      "stopped_at",
      "processes_json",
      "seen_event_ids",
      "seen_at",
      "seen",
    ],
  },
  { name: "incident_failure", key: ["incident_id", "fingerprint", "env"] },
  { name: "prediction", key: ["incident_id", "position"] },
  { name: "verdict", key: ["incident_id", "author_kind", "author_id", "revision"] },
  { name: "failure", key: ["fingerprint", "env"], scope: "scope_id" },
  { name: "failure_decision", key: ["fingerprint", "env", "outcome", "rule"], scope: "scope_id" },
  { name: "event_usage", key: ["day"], scope: "organization_id" },
  { name: "secret", key: ["name"], scope: "scope_id", columns: ["name", "updated_at"] },
  { name: "instructions", key: ["version"], scope: "scope_id" },
  { name: "connection", key: ["kind", "name"], scope: "scope_id" },
  { name: "model_settings", key: ["scope_id"], scope: "scope_id" },
  { name: "model_refusal", key: ["scope_id"], scope: "scope_id" },
  { name: "model_usage", key: ["day"], scope: "scope_id" },
  { name: "model_run", key: ["id"], scope: "scope_id" },
  { name: "model_prompt", key: ["run_id", "position"], scope: "scope_id" },
  { name: "ownership_rule", key: ["position"], scope: "scope_id" },
  { name: "saved_view", key: ["id"], scope: "scope_id" },
  { name: "notification_rule", key: ["id"], scope: "scope_id" },
  { name: "notification_delivery", key: ["id"], scope: "scope_id" },
  { name: "alert_source", key: ["id"], scope: "scope_id" },
  { name: "alert", key: ["source_id", "key"], scope: "scope_id" },
  {
    name: "monitor",
    key: ["id"],
    scope: "scope_id",
    columns: ["id", "name", "severity", "service", "env", "alert_after", "check_json", "progress_json", "created_at"],
  },
  { name: "monitor_result", key: ["monitor_id", "revision"], scope: "scope_id" },
  { name: "conversation", key: ["id"], scope: "scope_id" },
  { name: "conversation_post", key: ["id"], scope: "scope_id" },
  { name: "deployment", key: ["source_id", "key"], scope: "scope_id" },
  { name: "reported_release", key: ["service", "release", "env"], scope: "scope_id" },
  { name: "release_commits", key: ["service", "release"], scope: "scope_id" },
  { name: "source_bundle", key: ["service", "release", "origin"], scope: "scope_id" },
  { name: "source_manifest", key: ["sha256"], scope: "scope_id", packed: "text" },
  {
    name: "source_content",
    key: ["sha256"],
    scope: "scope_id",
    packed: "text",
    columns: ["scope_id", "sha256", "bytes", "asked_at", "manifests", "text"],
  },
  { name: "debug_file", key: ["service", "debug_id"], scope: "scope_id" },
  { name: "audit_entry", key: ["id"], scope: "scope_id" },
];

/** Reads everything that a scope owns, each page as of when it is read. */
export async function* exportScope(db: Kysely<ControlTables>, scopeId: string): AsyncGenerator<BackupRow> {
  for (const table of exportedTables) yield* rowsOf(db, table, scopeId);
}

async function* rowsOf(
  db: Kysely<ControlTables>,
  { name, key, scope, columns, packed }: ExportedTable,
  scopeId: string,
): AsyncGenerator<BackupRow> {
  const any = db.withTables<AnyTables>();
  const place = sql.join(key.map((column) => sql.ref(column)));
  const ofScope = any.selectFrom("incident").select("id").where("scope_id", "=", scopeId);
  let after: readonly unknown[] | null = null;
  for (;;) {
    const rows = any.selectFrom(name).limit(rowsAtOnce);
    let page = columns === undefined ? rows.selectAll() : rows.select(columns);
    page = scope === undefined ? page.where("incident_id", "in", ofScope) : page.where(scope, "=", scopeId);
    for (const column of key) page = page.orderBy(column);
    if (after) page = page.where(sql<boolean>`(${place}) > (${sql.join(after)})`);
    const read: readonly Record<string, unknown>[] = await page.execute();
    for (const row of read) yield { table: name, row: plainRow(await unpacked(row, packed)) };
    const last = read.at(-1);
    if (!last || read.length < rowsAtOnce) return;
    after = key.map((column) => last[column]);
  }
}

async function unpacked(row: Record<string, unknown>, packed: string | undefined): Promise<Record<string, unknown>> {
  const content = packed === undefined ? undefined : row[packed];
  if (packed === undefined || !(content instanceof Uint8Array)) return row;
  return { ...row, [packed]: await unpack(content) };
}
