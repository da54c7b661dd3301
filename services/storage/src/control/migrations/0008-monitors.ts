import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, of, required, zero } from "./columns.ts";

/** What the service checks for organizations, and the results. */
export function monitorsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("monitor")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("name", text, required)
        .addColumn("severity", text, required)
        .addColumn("service", text)
        .addColumn("env", text)
        .addColumn("alert_after", "integer", required)
        .addColumn("check_json", text, required)
        .addColumn("progress_json", text, required)
        .addColumn("key_hash", text, (column) => column.unique())
        .addColumn("revision", "integer", zero)
        .addColumn("next_check_at", text)
        .addColumn("created_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .execute();
      await db.schema.createIndex("monitor_scope_idx").on("monitor").columns(["scope_id", "id"]).execute();
      await db.schema.createIndex("monitor_check_idx").on("monitor").column("next_check_at").execute();
      await db.schema
        .createTable("monitor_result")
        .addColumn("monitor_id", text, of("monitor"))
        .addColumn("scope_id", text, required)
        .addColumn("revision", "integer", required)
        .addColumn("at", text, required)
        .addColumn("outcome", text, required)
        .addColumn("reason", text, required)
        .addColumn("duration_ms", "integer")
        .addColumn("value", "double precision")
        .addPrimaryKeyConstraint("monitor_result_pk", ["monitor_id", "revision"])
        .execute();
      await db.schema.createIndex("monitor_result_scope_idx").on("monitor_result").column("scope_id").execute();
    },
  };
}
