import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, keyOfIncident, ofIncident, required, zero } from "../columns.ts";

/**
 * Incidents with what they were opened with, their steps, the failures that joined them, how many each scope's telemetry
 * opened, the messages that ask for investigations, and which of those are under way.
 */
export async function createIncidents(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createIncident(db, types);
  await createParts(db, types);
  await createReports(db, types);
  await createJoined(db, types);
  await createOutbox(db, types);
}

async function createIncident(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
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
    .addColumn("attempt", "integer", zero)
    .addColumn("events", "bigint", zero)
    .addColumn("last_event_at", text)
    .addColumn("category", text)
    .addColumn("root_cause_summary", text)
    .addColumn("confidence", "real")
    .addColumn("version", "integer", zero)
    .addColumn("held_until", text)
    .addColumn("refine_at", text)
    .addColumn("refined_at", text)
    .addColumn("refined_until", text)
    .addColumn("evidence_mark", text)
    .addColumn("merged_into", text)
    .addColumn("asked_by_key_id", text)
    .addColumn("input_bytes", "bigint", zero)
    .execute();
  await db.schema.createIndex("incident_refine_idx").on("incident").column("refine_at").execute();
  await db.schema.createIndex("incident_scope_idx").on("incident").columns(["scope_id", "id"]).execute();
  await db.schema
    .createIndex("incident_trigger_idx")
    .on("incident")
    .columns(["scope_id", "trigger_kind", "created_at"])
    .execute();
  await db.schema
    .createIndex("incident_input_idx")
    .on("incident")
    .columns(["scope_id", "created_at", "asked_by_key_id", "input_bytes"])
    .where("input_bytes", ">", 0)
    .execute();
  await db.schema
    .createIndex("incident_merged_idx")
    .on("incident")
    .column("merged_into")
    .where("merged_into", "is not", null)
    .execute();
  for (const column of ["service", "status", "fingerprint"]) {
    await db.schema.createIndex(`incident_${column}_idx`).on("incident").columns(["scope_id", column, "id"]).execute();
  }
}

async function createParts(db: Kysely<unknown>, { text, bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("incident_input")
    .addColumn("incident_id", text, keyOfIncident)
    .addColumn("kind", text, required)
    .addColumn("event_id", text)
    .addColumn("error_log", bytes)
    .addColumn("exit_json", text)
    .execute();
  await db.schema
    .createTable("incident_file")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("position", "integer", required)
    .addColumn("name", text, required)
    .addColumn("content", bytes, required)
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

/** Every version of a report. */
async function createReports(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("incident_report")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("version", "integer", required)
    .addColumn("at", text, required)
    .addColumn("report_json", text, required)
    .addPrimaryKeyConstraint("incident_report_pk", ["incident_id", "version"])
    .execute();
}

async function createJoined(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("incident_failure")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("fingerprint", text, required)
    .addColumn("env", text, required)
    .addColumn("service", text, required)
    .addColumn("title", text, required)
    .addColumn("rule", text, required)
    .addColumn("reason", text, required)
    .addColumn("event_id", text, required)
    .addColumn("events", "bigint", required)
    .addColumn("first_seen", text, required)
    .addColumn("last_seen", text, required)
    .addColumn("joined_at", text, required)
    .addColumn("checked_at", text, required)
    .addPrimaryKeyConstraint("incident_failure_pk", ["incident_id", "fingerprint", "env"])
    .execute();
  await db.schema
    .createTable("incident_opening")
    .addColumn("scope_id", text, key)
    .addColumn("opened", "bigint", required)
    .execute();
}

async function createOutbox(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("id", text, key)
    .addColumn("topic", text, required)
    .addColumn("body", text, required)
    .addColumn("scope_id", text)
    .addColumn("priority", "integer", zero)
    .execute();
  await db.schema
    .createTable("investigation_turn")
    .addColumn("message_id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("publisher", text, required)
    .addColumn("began_at", text, required)
    .execute();
}
