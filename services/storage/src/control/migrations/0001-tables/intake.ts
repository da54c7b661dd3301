import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, required } from "../columns.ts";

/** Failures and what was decided about them, the thresholds of these decisions, and which processes reported and which stopped. */
export async function createIntake(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createFailures(db, types);
  await createWatch(db, types);
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
    .addColumn("history_json", text)
    .addColumn("counted", text)
    .addPrimaryKeyConstraint("failure_pk", ["scope_id", "fingerprint", "env"])
    .execute();
  await db.schema.createIndex("failure_decided_idx").on("failure").columns(["scope_id", "decided_at"]).execute();
  await db.schema.createIndex("failure_incident_idx").on("failure").column("incident_id").execute();
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

async function createWatch(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("incident_thresholds")
    .addColumn("scope_id", text, key)
    .addColumn("thresholds_json", text, required)
    .execute();
  await db.schema
    .createTable("gateway_pulse")
    .addColumn("id", text, key)
    .addColumn("taking_since", text, required)
    .addColumn("at", text, required)
    .execute();
  await db.schema
    .createTable("exited_process")
    .addColumn("scope_id", text, required)
    .addColumn("instance", text, required)
    .addColumn("decided_at", text, required)
    .addPrimaryKeyConstraint("exited_process_pk", ["scope_id", "instance"])
    .execute();
}
