import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** What was seen of a failure in watched runs of its command. */
export function watchedRunsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("incident_input").addColumn("observed_json", text).execute();
    },
  };
}
