import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, of, ofIncident, required, zero } from "./columns.ts";

/** The language models of organizations, what they used, and what was sent to them. */
export function modelsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("model_settings")
        .addColumn("scope_id", text, key)
        .addColumn("provider", text, required)
        .addColumn("name", text, required)
        .addColumn("inputs_json", text, required)
        .addColumn("prices_json", text)
        .addColumn("budget_json", text, required)
        .addColumn("changed_at", text, required)
        .addColumn("user_id", text, required)
        .addColumn("user_name", text, required)
        .execute();
      await db.schema
        .createTable("model_usage")
        .addColumn("scope_id", text, required)
        .addColumn("day", text, required)
        .addColumn("investigations", "integer", required)
        .addColumn("input_tokens", "bigint", required)
        .addColumn("output_tokens", "bigint", required)
        .addColumn("cost_usd", "double precision", required)
        .addColumn("unpriced", "integer", required)
        .addPrimaryKeyConstraint("model_usage_pk", ["scope_id", "day"])
        .execute();
      await db.schema
        .createTable("model_run")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("incident_id", text, ofIncident)
        .addColumn("purpose", text, required)
        .addColumn("provider", text, required)
        .addColumn("name", text, required)
        .addColumn("runs", "integer", required)
        .addColumn("input_tokens", "bigint", required)
        .addColumn("output_tokens", "bigint", required)
        .addColumn("cost_usd", "double precision")
        .addColumn("started_at", text, required)
        .addColumn("duration_ms", "bigint", required)
        .addColumn("outcome", text, required)
        .addColumn("replaced_json", text, required)
        .addColumn("prompts_omitted", "integer", zero)
        .execute();
      await db.schema.createIndex("model_run_scope_idx").on("model_run").columns(["scope_id", "id"]).execute();
      await db.schema.createIndex("model_run_incident_idx").on("model_run").column("incident_id").execute();
      await db.schema
        .createTable("model_prompt")
        .addColumn("run_id", text, of("model_run"))
        .addColumn("position", "integer", required)
        .addColumn("scope_id", text, required)
        .addColumn("sent_at", text, required)
        .addColumn("text", text, required)
        .addColumn("is_cut", "integer", required)
        .addPrimaryKeyConstraint("model_prompt_pk", ["run_id", "position"])
        .execute();
      await db.schema.createIndex("model_prompt_sent_idx").on("model_prompt").column("sent_at").execute();
    },
  };
}
