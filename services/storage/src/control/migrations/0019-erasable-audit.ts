import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { empty } from "./columns.ts";

/** Digests in audit entries, so that a person's name and address can be removed without breaking the chain. */
export function erasableAuditMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      for (const column of ["user_name", "target"]) {
        await db.schema.alterTable("audit_entry").addColumn(`${column}_salt`, text).execute();
        await db.schema.alterTable("audit_entry").addColumn(`${column}_digest`, text, empty).execute();
      }
    },
  };
}
