import type { Migration } from "kysely/migration";
import { identityMigration } from "./0001-identity.ts";
import { controlMigration } from "./0002-control.ts";

/** Which database the migrations are for: the identity library expects other column types on each. */
export type DatabaseType = "sqlite" | "postgres";

/** Every migration, in the order of their names. A released one is never changed; the next one has the next number. */
export function migrationsFor(type: DatabaseType): Record<string, Migration> {
  return { "0001-identity": identityMigration(type), "0002-control": controlMigration };
}
