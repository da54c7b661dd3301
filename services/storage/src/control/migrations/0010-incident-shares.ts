import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, ofIncident, required, unique, zero } from "./columns.ts";

/** The links by which reports are read without an account. */
export function incidentSharesMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("incident_share")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("incident_id", text, ofIncident)
        .addColumn("token_hash", text, unique)
        .addColumn("created_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .addColumn("expires_at", text, required)
        .addColumn("opened", "integer", zero)
        .addColumn("last_opened_at", text)
        .execute();
      await db.schema
        .createIndex("incident_share_scope_idx")
        .on("incident_share")
        .columns(["scope_id", "id"])
        .execute();
      await db.schema.createIndex("incident_share_incident_idx").on("incident_share").column("incident_id").execute();
    },
  };
}
