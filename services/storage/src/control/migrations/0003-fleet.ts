import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

/** What several processes side by side need: numbered attempts, settings and usage of organizations, credentials. */
export function fleetMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .alterTable("incident")
        .addColumn("attempt", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createTable("organization_settings")
        .addColumn("organization_id", text, (column) => column.notNull().primaryKey())
        .addColumn("retention_days", "integer")
        .addColumn("events_per_day", "bigint")
        .execute();
      await db.schema
        .createTable("event_usage")
        .addColumn("organization_id", text, required)
        .addColumn("day", text, required)
        .addColumn("events", "bigint", required)
        .addPrimaryKeyConstraint("event_usage_pk", ["organization_id", "day"])
        .execute();
      await db.schema
        .createTable("secret")
        .addColumn("scope_id", text, required)
        .addColumn("name", text, required)
        .addColumn("envelope", text, required)
        .addColumn("key_id", text, required)
        .addColumn("updated_at", text, required)
        .addPrimaryKeyConstraint("secret_pk", ["scope_id", "name"])
        .execute();
    },
  };
}
