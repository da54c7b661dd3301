import type { Migration } from "kysely/migration";

/** An organization's choice to store what identifies its users as sent. */
export function plainUsersMigration(): Migration {
  return {
    async up(db) {
      await db.schema.alterTable("organization_settings").addColumn("plain_users", "integer").execute();
    },
  };
}
