import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, of, required, zero } from "./columns.ts";

/** The views of lists that members saved. A membership that ends takes its views with it. */
export function savedViewsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("saved_view")
        .addColumn("id", text, key)
        .addColumn("scope_id", text, required)
        .addColumn("member_id", text, of("member"))
        .addColumn("name", text, required)
        .addColumn("filter_json", text, required)
        .addColumn("is_shared", "integer", zero)
        .execute();
      await db.schema.createIndex("saved_view_scope_idx").on("saved_view").columns(["scope_id", "id"]).execute();
      await db.schema.createIndex("saved_view_member_idx").on("saved_view").column("member_id").execute();
    },
  };
}
