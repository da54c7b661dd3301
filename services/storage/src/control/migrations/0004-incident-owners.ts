import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** Who takes care of an incident. A membership that ends takes its incidents' owner with it. */
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
      await db.schema.createIndex("incident_owner_idx").on("incident").columns(["owner_id", "id"]).execute();
    },
  };
}
