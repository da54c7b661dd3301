import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** What a list of incidents says of a report without reading it, and indexes for what lists are filtered by. */
export function incidentListMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("incident").addColumn("category", text).execute();
      await db.schema.alterTable("incident").addColumn("root_cause_summary", text).execute();
      await db.schema.alterTable("incident").addColumn("confidence", "real").execute();
      for (const column of ["service", "status", "fingerprint"]) {
        await db.schema
          .createIndex(`incident_${column}_idx`)
          .on("incident")
          .columns(["scope_id", column, "id"])
          .execute();
      }
    },
  };
}
