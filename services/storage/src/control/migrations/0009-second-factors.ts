import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { key, of, required } from "./columns.ts";

/** The columns of the identity library's `two-factor` plugin, with its own names and types. */
export function secondFactorsMigration(type: DatabaseType): Migration {
  const { text, date, boolean } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema.alterTable("user").addColumn("twoFactorEnabled", boolean).execute();
      await db.schema
        .createTable("twoFactor")
        .addColumn("id", text, key)
        .addColumn("secret", text, required)
        .addColumn("backupCodes", text, required)
        .addColumn("userId", text, of("user"))
        .addColumn("verified", boolean)
        .addColumn("failedVerificationCount", "integer")
        .addColumn("lockedUntil", date)
        .execute();
      await db.schema.createIndex("twoFactor_userId_idx").on("twoFactor").column("userId").execute();
    },
  };
}
