import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, required, zero } from "../columns.ts";

/**
 * Limits and usage of organizations, custom instructions with their history, connected integrations, who changed
 * what, and what was asked to be gone.
 */
export async function createSettings(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createUsage(db, types);
  await createInstructions(db, types);
  await createAudit(db, types);
  await createErasures(db, types);
}

async function createUsage(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("organization_settings")
    .addColumn("organization_id", text, key)
    .addColumn("retention_days", "integer")
    .addColumn("events_per_day", "bigint")
    .addColumn("input_bytes_max", "bigint")
    .execute();
  await db.schema
    .createTable("event_usage")
    .addColumn("organization_id", text, required)
    .addColumn("day", text, required)
    .addColumn("events", "bigint", required)
    .addPrimaryKeyConstraint("event_usage_pk", ["organization_id", "day"])
    .execute();
}

async function createInstructions(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("instructions")
    .addColumn("scope_id", text, required)
    .addColumn("version", "integer", required)
    .addColumn("text", text, required)
    .addColumn("changed_at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addPrimaryKeyConstraint("instructions_pk", ["scope_id", "version"])
    .execute();
  await db.schema
    .createTable("integration")
    .addColumn("scope_id", text, required)
    .addColumn("kind", text, required)
    .addColumn("vendor", text, required)
    .addColumn("belongs_to", text, required)
    .addColumn("inputs_json", text, required)
    .addColumn("connected_at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addColumn("answered_at", text)
    .addColumn("failed_at", text)
    .addColumn("failure", text)
    .addColumn("findings", "bigint", zero)
    .addColumn("renewal_id", text)
    .addColumn("renewal_until", text)
    .addPrimaryKeyConstraint("integration_pk", ["scope_id", "kind"])
    .execute();
}

async function createAudit(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("audit_entry")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addColumn("action", text, required)
    .addColumn("target", text, required)
    .addColumn("seq", "integer", required)
    .addColumn("hash", text, required)
    .execute();
  await db.schema.createIndex("audit_entry_seq_idx").on("audit_entry").columns(["scope_id", "seq"]).unique().execute();
  await db.schema
    .createTable("audit_head")
    .addColumn("scope_id", text, key)
    .addColumn("seq", "integer", required)
    .addColumn("hash", text, required)
    .execute();
  await db.schema.createIndex("audit_entry_scope_idx").on("audit_entry").columns(["scope_id", "id"]).execute();
}

async function createErasures(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("erasure")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("service", text)
    .addColumn("requested_at", text, required)
    .execute();
}
