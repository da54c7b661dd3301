import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, of, required, zero } from "../columns.ts";

/** Conversations in which someone asked, and the messages to send to them. */
export async function createConversations(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("conversation")
    .addColumn("id", text, key)
    .addColumn("scope_id", text, required)
    .addColumn("source_id", text, of("alert_source"))
    .addColumn("thread", text, required)
    .addColumn("place_json", text, required)
    .addColumn("status", text, required)
    .addColumn("how", text, required)
    .addColumn("title", text)
    .addColumn("url", text)
    .addColumn("incident_id", text)
    .addColumn("message_id", text)
    .addColumn("asked_at", text, required)
    .addColumn("updated_at", text, required)
    .addColumn("stopped_at", text)
    .addUniqueConstraint("conversation_thread", ["source_id", "thread"])
    .execute();
  await db.schema.createIndex("conversation_incident_idx").on("conversation").column("incident_id").execute();
  await db.schema
    .createTable("conversation_post")
    .addColumn("id", text, key)
    .addColumn("conversation_id", text, of("conversation"))
    .addColumn("scope_id", text, required)
    .addColumn("key", text, required)
    .addColumn("kind", text, required)
    .addColumn("request_json", text)
    .addColumn("said", text)
    .addColumn("state", text, required)
    .addColumn("attempts", "integer", zero)
    .addColumn("next_attempt_at", text, required)
    .addColumn("created_at", text, required)
    .addColumn("settled_at", text)
    .addColumn("reason", text)
    .addUniqueConstraint("conversation_post_once", ["conversation_id", "key"])
    .execute();
  await db.schema
    .createIndex("conversation_post_due_idx")
    .on("conversation_post")
    .columns(["state", "next_attempt_at"])
    .execute();
}
