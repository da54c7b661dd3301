import type { Migration } from "kysely/migration";

/** An organization's choice that its members can't sign in with a password. */
export function passwordsOffMigration(): Migration {
  return {
    async up(db) {
      await db.schema.alterTable("organization_settings").addColumn("passwords_off", "integer").execute();
    },
  };
}
