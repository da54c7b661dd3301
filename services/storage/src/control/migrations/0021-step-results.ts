import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** What a tool of a language model answered in a step. */
export function stepResultsMigration(type: DatabaseType): Migration {
  return {
    async up(db) {
      await db.schema.alterTable("incident_step").addColumn("result", columnTypesOf(type).text).execute();
    },
  };
}
