import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** The pull request with an incident's patch. */
export function pullRequestsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("incident").addColumn("pull_request_json", text).execute();
    },
  };
}
