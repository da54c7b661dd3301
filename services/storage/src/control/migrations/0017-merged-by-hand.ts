import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** The status of an incident before someone merged it into another one, and which failures came with it. */
export function mergedByHandMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("incident").addColumn("merged_status", text).execute();
      await db.schema.alterTable("incident_failure").addColumn("merged_from", text).execute();
    },
  };
}
