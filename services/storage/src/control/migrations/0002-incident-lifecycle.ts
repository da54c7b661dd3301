import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { ofIncident, required } from "./columns.ts";

/** What people decide about incidents, and who decided what when. */
export function incidentLifecycleMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .alterTable("incident")
        .addColumn("state", text, (column) => column.notNull().defaultTo("open"))
        .execute();
      // SQLite adds one column at a time.
      await db.schema.alterTable("incident").addColumn("muted_until", text).execute();
      await db.schema.alterTable("incident").addColumn("lifecycle_json", text).execute();
      await db.schema.createIndex("incident_state_idx").on("incident").columns(["scope_id", "state", "id"]).execute();
      await db.schema
        .createTable("incident_activity")
        .addColumn("id", text, (column) => column.notNull().primaryKey())
        .addColumn("incident_id", text, ofIncident)
        .addColumn("activity_json", text, required)
        .execute();
      await db.schema
        .createIndex("incident_activity_idx")
        .on("incident_activity")
        .columns(["incident_id", "id"])
        .execute();
    },
  };
}
