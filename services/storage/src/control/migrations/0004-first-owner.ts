import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

/** That the service had its first owner, and an index by which agents that nobody claimed are found once they expired. */
export function firstOwnerMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("first_owner")
        .addColumn("id", text, (column) => column.notNull().primaryKey())
        .addColumn("user_id", text, required)
        .addColumn("granted_at", text, required)
        .execute();
      await db.schema.createIndex("agent_expiry_idx").on("agent").columns(["claimed_at", "expires_at"]).execute();
    },
  };
}
