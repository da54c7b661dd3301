import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, of, required, zero } from "../columns.ts";

const ofRule = of("notification_rule");

/**
 * Notification rules, occasions, deliveries and their outcomes, and messages that were held back. Deleting a rule
 * deletes its rows.
 */
export async function createNotifications(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createRules(db, types);
  await createOccasions(db, types);
  await createDeliveries(db, types);
  await createHeldBack(db, types);
}

async function createRules(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("notification_rule")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("enabled", "integer", required)
    .addColumn("rule_json", text, required)
    .addColumn("changed_at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addColumn("hour_started_at", text)
    .addColumn("hour_sent", "integer", zero)
    .execute();
  await db.schema
    .createIndex("notification_rule_scope_idx")
    .on("notification_rule")
    .columns(["scope_id", "id"])
    .execute();
}

async function createOccasions(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("notification_occasion")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("incident_id", text, required)
    .addColumn("kind", text, required)
    .addColumn("at", text, required)
    .execute();
}

async function createDeliveries(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("notification_delivery")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("rule_id", text, ofRule)
    .addColumn("occasion", text, required)
    .addColumn("type", text, required)
    .addColumn("incident_id", text)
    .addColumn("channel", text, required)
    .addColumn("recipient", text, required)
    .addColumn("state", text, required)
    .addColumn("attempts", "integer", zero)
    .addColumn("next_attempt_at", text, required)
    .addColumn("created_at", text, required)
    .addColumn("settled_at", text)
    .addColumn("reason", text)
    .addColumn("held_back_until", text)
    .addUniqueConstraint("notification_delivery_once", ["rule_id", "occasion", "channel", "recipient"])
    .execute();
  await db.schema
    .createIndex("notification_delivery_due_idx")
    .on("notification_delivery")
    .columns(["state", "next_attempt_at"])
    .execute();
  await db.schema
    .createIndex("notification_delivery_incident_idx")
    .on("notification_delivery")
    .column("incident_id")
    .execute();
  await db.schema
    .createIndex("notification_delivery_rule_idx")
    .on("notification_delivery")
    .columns(["rule_id", "id"])
    .execute();
}

async function createHeldBack(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("notification_held_back")
    .addColumn("rule_id", text, ofRule)
    .addColumn("occasion", text, required)
    .addColumn("incident_id", text, required)
    .addColumn("at", text, required)
    .addColumn("until", text, required)
    .addColumn("summary_occasion", text)
    .addPrimaryKeyConstraint("notification_held_back_pk", ["rule_id", "occasion"])
    .execute();
  await db.schema
    .createIndex("notification_held_back_due_idx")
    .on("notification_held_back")
    .columns(["summary_occasion", "until"])
    .execute();
}
