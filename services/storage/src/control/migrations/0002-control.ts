import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { type ColumnTypes, columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().primaryKey();
const ofIncident = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull().references("incident.id").onDelete("cascade");

/** Keys, agents, incidents, failures and the outbox. */
export function controlMigration(type: DatabaseType): Migration {
  const types = columnTypesOf(type);
  return {
    async up(db) {
      await createKeys(db, types);
      await createIncidents(db, types);
      await createFailures(db, types);
      await db.schema
        .createTable("outbox")
        .addColumn("id", types.text, key)
        .addColumn("topic", types.text, required)
        .addColumn("body", types.text, required)
        .execute();
    },
  };
}

async function createKeys(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("agent")
    .addColumn("id", text, key)
    .addColumn("source", text, required)
    .addColumn("claim_token_hash", text, (column) => column.notNull().unique())
    .addColumn("created_at", text, required)
    .addColumn("expires_at", text, required)
    .addColumn("organization_id", text)
    .addColumn("claimed_at", text)
    .execute();
  await db.schema
    .createTable("api_key")
    .addColumn("id", text, key)
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("prefix", text, required)
    .addColumn("name", text, required)
    .addColumn("scope_id", text, required)
    .addColumn("agent_id", text, (column) => column.references("agent.id").onDelete("cascade"))
    .addColumn("created_at", text, required)
    .addColumn("revoked_at", text)
    .execute();
  await db.schema.createIndex("api_key_scope_idx").on("api_key").columns(["scope_id", "id"]).execute();
}

async function createIncidents(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("incident")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("status", text, required)
    .addColumn("title", text, required)
    .addColumn("severity", text, required)
    .addColumn("trigger_kind", text, required)
    .addColumn("trigger_json", text, required)
    .addColumn("service", text)
    .addColumn("env", text)
    .addColumn("fingerprint", text)
    .addColumn("decision_json", text, required)
    .addColumn("created_at", text, required)
    .addColumn("started_at", text)
    .addColumn("completed_at", text)
    .addColumn("failure_json", text)
    .addColumn("report_json", text)
    .execute();
  await db.schema.createIndex("incident_scope_idx").on("incident").columns(["scope_id", "id"]).execute();
  await db.schema
    .createIndex("incident_trigger_idx")
    .on("incident")
    .columns(["scope_id", "trigger_kind", "created_at"])
    .execute();
  await db.schema
    .createTable("incident_input")
    .addColumn("incident_id", text, (column) => ofIncident(column).primaryKey())
    .addColumn("kind", text, required)
    .addColumn("event_id", text)
    .addColumn("error_log", text)
    .execute();
  await db.schema
    .createTable("incident_file")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("position", "integer", required)
    .addColumn("name", text, required)
    .addColumn("content", text, required)
    .addPrimaryKeyConstraint("incident_file_pk", ["incident_id", "position"])
    .execute();
  await db.schema
    .createTable("incident_step")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("seq", "integer", required)
    .addColumn("at", text, required)
    .addColumn("step", text, required)
    .addColumn("detail", text, required)
    .addPrimaryKeyConstraint("incident_step_pk", ["incident_id", "seq"])
    .execute();
}

async function createFailures(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("failure")
    .addColumn("scope_id", text, required)
    .addColumn("fingerprint", text, required)
    .addColumn("env", text, required)
    .addColumn("service", text, required)
    .addColumn("title", text, required)
    .addColumn("first_seen", text, required)
    .addColumn("last_seen", text, required)
    .addColumn("incident_id", text)
    .addColumn("decision_json", text)
    .addColumn("decided_at", text, required)
    .addPrimaryKeyConstraint("failure_pk", ["scope_id", "fingerprint", "env"])
    .execute();
  await db.schema.createIndex("failure_decided_idx").on("failure").columns(["scope_id", "decided_at"]).execute();
  await db.schema
    .createTable("failure_decision")
    .addColumn("scope_id", text, required)
    .addColumn("fingerprint", text, required)
    .addColumn("env", text, required)
    .addColumn("outcome", text, required)
    .addColumn("rule", text, required)
    .addColumn("reason", text, required)
    .addColumn("first_at", text, required)
    .addColumn("last_at", text, required)
    .addColumn("last_event_id", text, required)
    .addPrimaryKeyConstraint("failure_decision_pk", ["scope_id", "fingerprint", "env", "outcome", "rule"])
    .execute();
}
