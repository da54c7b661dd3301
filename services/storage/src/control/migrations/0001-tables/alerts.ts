import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, required, zero } from "../columns.ts";

/** Senders of webhooks, and the failures and deployments that they announced. */
export async function createAlerts(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("alert_source")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("kind", text, required)
    .addColumn("name", text, required)
    .addColumn("inputs_json", text, required)
    .addColumn("secrets_json", text, required)
    .addColumn("created_at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addColumn("received_at", text)
    .addColumn("alerts", "bigint", zero)
    .addColumn("hour_started_at", text)
    .addColumn("hour_opened", "integer", zero)
    .addColumn("withheld", "bigint", zero)
    .addColumn("failed_at", text)
    .addColumn("failure", text)
    .addColumn("answers_publicly", "integer", zero)
    .execute();
  await db.schema.createIndex("alert_source_scope_idx").on("alert_source").columns(["scope_id", "id"]).execute();
  await db.schema
    .createTable("alert")
    .addColumn("scope_id", text, required)
    .addColumn("source_id", text, required)
    .addColumn("key", text, required)
    .addColumn("title", text, required)
    .addColumn("url", text)
    .addColumn("incident_id", text, required)
    .addColumn("fired_at", text, required)
    .addColumn("announced_at", text, required)
    .addColumn("resolved_at", text)
    .addPrimaryKeyConstraint("alert_pk", ["scope_id", "source_id", "key"])
    .execute();
  await db.schema.createIndex("alert_incident_idx").on("alert").column("incident_id").execute();
  await db.schema
    .createTable("deployment")
    .addColumn("scope_id", text, required)
    .addColumn("source_id", text, required)
    .addColumn("key", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("env", text, required)
    .addColumn("commit_id", text)
    .addColumn("url", text)
    .addColumn("live_at", text, required)
    .addColumn("checks", "integer", required)
    .addColumn("next_check_at", text)
    .addPrimaryKeyConstraint("deployment_pk", ["scope_id", "source_id", "key"])
    .execute();
  await db.schema.createIndex("deployment_check_idx").on("deployment").column("next_check_at").execute();
}
