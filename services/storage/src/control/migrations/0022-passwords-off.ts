import type { Migration } from "kysely/migration";

/** An organization's choice to have its members sign in with the operator's OpenID provider only. */
export function passwordsOffMigration(): Migration {
  return {
    async up(db) {
      await db.schema.alterTable("organization_settings").addColumn("passwords_off", "integer").execute();
    },
  };
}
