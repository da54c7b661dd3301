import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().primaryKey();

/** Custom instructions with their history, connected integrations, and who changed what. */
export function settingsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("instructions")
        .addColumn("scope_id", text, required)
        .addColumn("version", "integer", required)
        .addColumn("text", text, required)
        .addColumn("changed_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .addPrimaryKeyConstraint("instructions_pk", ["scope_id", "version"])
        .execute();
      await db.schema
        .createTable("integration")
        .addColumn("scope_id", text, required)
        .addColumn("kind", text, required)
        .addColumn("inputs_json", text, required)
        .addColumn("connected_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .addPrimaryKeyConstraint("integration_pk", ["scope_id", "kind"])
        .execute();
      await db.schema
        .createTable("audit_entry")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .addColumn("action", text, required)
        .addColumn("target", text, required)
        .execute();
      await db.schema.createIndex("audit_entry_scope_idx").on("audit_entry").columns(["scope_id", "id"]).execute();
      await db.schema.alterTable("api_key").addColumn("last_used_at", text).execute();
    },
  };
}
