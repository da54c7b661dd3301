import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, required } from "./columns.ts";

/** Organizations that don't use the model of the installation. */
export function modelRefusalsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("model_refusal")
        .addColumn("scope_id", text, key)
        .addColumn("refused_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .execute();
    },
  };
}
