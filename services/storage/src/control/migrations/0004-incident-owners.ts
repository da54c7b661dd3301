import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { of, required } from "./columns.ts";

/** Owners of incidents, and ownership rules. Both are deleted with the membership. */
export function incidentOwnersMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .alterTable("incident")
        .addColumn("owner_id", text, (column) => column.references("member.id").onDelete("set null"))
        .execute();
      // SQLite adds one column at a time.
      await db.schema.alterTable("incident").addColumn("owner_since", text).execute();
      await db.schema.alterTable("incident").addColumn("acknowledged_json", text).execute();
      await db.schema
        .createTable("ownership_rule")
        .addColumn("scope_id", text, required)
        .addColumn("position", "integer", required)
        .addColumn("match", text, required)
        .addColumn("pattern", text, required)
        .addColumn("member_id", text, of("member"))
        .addPrimaryKeyConstraint("ownership_rule_pk", ["scope_id", "position"])
        .execute();
      await db.schema.createIndex("ownership_rule_member_idx").on("ownership_rule").column("member_id").execute();
      await db.schema.createIndex("incident_owner_idx").on("incident").columns(["owner_id", "id"]).execute();
    },
  };
}
