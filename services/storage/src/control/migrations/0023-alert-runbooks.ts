import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** The runbook that an alert links to. */
export function alertRunbooksMigration(type: DatabaseType): Migration {
  return {
    async up(db) {
      await db.schema.alterTable("alert").addColumn("runbook_url", columnTypesOf(type).text).execute();
    },
  };
}
