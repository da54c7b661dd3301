import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, ofIncident, required, zero } from "./columns.ts";

/** The places of reports that running processes are asked to watch. */
export function placeWatchesMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("place_watch")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("incident_id", text, ofIncident)
        .addColumn("service", text, required)
        .addColumn("env", text, required)
        .addColumn("release", text, required)
        .addColumn("order_text", text, required)
        .addColumn("key_text", text, required)
        .addColumn("places_json", text, required)
        .addColumn("created_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .addColumn("expires_at", text, required)
        .addColumn("stopped_at", text)
        .addColumn("processes_json", text)
        .addColumn("seen_event_ids", text)
        .addColumn("seen_at", text)
        .addColumn("seen", "integer", zero)
        .execute();
      await db.schema.createIndex("place_watch_scope_idx").on("place_watch").columns(["scope_id", "id"]).execute();
      await db.schema.createIndex("place_watch_incident_idx").on("place_watch").column("incident_id").execute();
    },
  };
}
