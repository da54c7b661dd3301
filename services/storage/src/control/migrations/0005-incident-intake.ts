import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().primaryKey();
const zero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0);

/**
 * What is remembered of a failure between two occurrences, the thresholds of organizations, the order in which incidents
 * are investigated, deaths that no event tells of, and since when gateways are taking telemetry.
 */
export function incidentIntakeMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("failure").addColumn("history_json", text).execute();
      await db.schema.alterTable("failure").addColumn("counted", text).execute();
      await db.schema.alterTable("incident").addColumn("events", "bigint", zero).execute();
      await db.schema.alterTable("incident").addColumn("last_event_at", text).execute();
      await db.schema.alterTable("incident_input").addColumn("death_json", text).execute();
      await db.schema.alterTable("outbox").addColumn("scope_id", text).execute();
      await db.schema.alterTable("outbox").addColumn("priority", "integer", zero).execute();
      await db.schema
        .createTable("incident_thresholds")
        .addColumn("scope_id", text, key)
        .addColumn("thresholds_json", text, required)
        .execute();
      await db.schema
        .createTable("gateway_pulse")
        .addColumn("id", text, key)
        .addColumn("taking_since", text, required)
        .addColumn("at", text, required)
        .execute();
      await db.schema
        .createTable("silent_process")
        .addColumn("scope_id", text, required)
        .addColumn("instance", text, required)
        .addColumn("decided_at", text, required)
        .addPrimaryKeyConstraint("silent_process_pk", ["scope_id", "instance"])
        .execute();
    },
  };
}
