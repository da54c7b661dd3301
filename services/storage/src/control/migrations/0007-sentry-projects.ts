import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** What a key for Sentry's clients is for. */
export function sentryProjectsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("api_key").addColumn("project_json", text).execute();
    },
  };
}
