import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().primaryKey();
const ofIncident = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull().references("incident.id").onDelete("cascade");

/** Failures that an incident has beside the one that opened it, and how many incidents each scope's telemetry opened. */
export function joinedFailuresMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("incident_failure")
        .addColumn("incident_id", text, ofIncident)
        .addColumn("fingerprint", text, required)
        .addColumn("env", text, required)
        .addColumn("service", text, required)
        .addColumn("title", text, required)
        .addColumn("rule", text, required)
        .addColumn("reason", text, required)
        .addColumn("event_id", text, required)
        .addColumn("events", "bigint", required)
        .addColumn("first_seen", text, required)
        .addColumn("last_seen", text, required)
        .addColumn("joined_at", text, required)
        .addColumn("checked_at", text, required)
        .addPrimaryKeyConstraint("incident_failure_pk", ["incident_id", "fingerprint", "env"])
        .execute();
      await db.schema
        .createTable("incident_opening")
        .addColumn("scope_id", text, key)
        .addColumn("opened", "bigint", required)
        .execute();
    },
  };
}
