import type { Migration } from "kysely/migration";
import { tablesMigration } from "./0001-tables.ts";
import type { DatabaseType } from "./column-types.ts";

/**
 * Every migration, in the order of their names. A released one is never changed; the next one has the next number.
 *
 * The release before runs beside this one while a fleet is brought up to date, on the tables of this one. So a
 * migration only adds: tables, indexes, and columns that are nullable or have a default, since the release before does
 * not fill them. What nobody reads or writes any more is dropped by a migration of a later release, whose name says
 * `contract` (`0002-contract-…`): a release that does not know such a migration refuses to start, and starts beside any
 * other that is newer than itself.
 */
export function migrationsFor(type: DatabaseType): Record<string, Migration> {
  return { "0001-tables": tablesMigration(type) };
}
