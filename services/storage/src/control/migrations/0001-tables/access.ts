import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, required, unique } from "../columns.ts";

/** Agents, keys, the first owner, attempts at passwords, and credentials, which are sealed. */
export async function createAccess(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("agent")
    .addColumn("id", text, key)
    .addColumn("source", text, required)
    .addColumn("claim_token_hash", text, unique)
    .addColumn("created_at", text, required)
    .addColumn("expires_at", text, required)
    .addColumn("organization_id", text)
    .addColumn("claimed_at", text)
    .addColumn("registered_from", text)
    .addColumn("responsible_id", text)
    .addColumn("responsible_name", text)
    .addColumn("confirmed_at", text)
    .execute();
  await db.schema
    .createTable("api_key")
    .addColumn("id", text, key)
    .addColumn("hash", text, unique)
    .addColumn("prefix", text, required)
    .addColumn("name", text, required)
    .addColumn("scope_id", text, required)
    .addColumn("agent_id", text, (column) => column.references("agent.id").onDelete("cascade"))
    .addColumn("access_scope", text)
    .addColumn("created_at", text, required)
    .addColumn("revoked_at", text)
    .addColumn("last_used_at", text)
    .execute();
  await db.schema.createIndex("api_key_scope_idx").on("api_key").columns(["scope_id", "id"]).execute();
  await db.schema.createIndex("agent_expiry_idx").on("agent").columns(["claimed_at", "expires_at"]).execute();
  await db.schema
    .createTable("first_owner")
    .addColumn("id", text, key)
    .addColumn("user_id", text, required)
    .addColumn("granted_at", text, required)
    .execute();
  await db.schema
    .createTable("password_attempt")
    .addColumn("aim", text, key)
    .addColumn("attempts", "integer", required)
    .addColumn("last_at", text, required)
    .addColumn("next_at", text, required)
    .execute();
  await db.schema.createIndex("password_attempt_last_idx").on("password_attempt").column("last_at").execute();
  await db.schema
    .createTable("secret")
    .addColumn("scope_id", text, required)
    .addColumn("name", text, required)
    .addColumn("envelope", text, required)
    .addColumn("key_id", text, required)
    .addColumn("updated_at", text, required)
    .addPrimaryKeyConstraint("secret_pk", ["scope_id", "name"])
    .execute();
}
