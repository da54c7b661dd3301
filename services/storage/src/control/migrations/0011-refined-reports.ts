import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const ofIncident = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull().references("incident.id").onDelete("cascade");

/** Every version of a report, when it is looked at again, and which incident took over another. */
export function refinedReportsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("incident_report")
        .addColumn("incident_id", text, ofIncident)
        .addColumn("version", "integer", required)
        .addColumn("at", text, required)
        .addColumn("report_json", text, required)
        .addPrimaryKeyConstraint("incident_report_pk", ["incident_id", "version"])
        .execute();
      await db.schema
        .alterTable("incident")
        .addColumn("version", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      for (const name of ["held_until", "refine_at", "refined_at", "refined_until", "evidence_mark", "merged_into"]) {
        await db.schema.alterTable("incident").addColumn(name, text).execute();
      }
      await db.schema.createIndex("incident_refine_idx").on("incident").column("refine_at").execute();
    },
  };
}
