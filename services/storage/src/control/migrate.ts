import { WhenceError } from "@whence/protocol";
import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { storageErrors } from "../errors.ts";
import type { DatabaseType } from "./migrations/column-types.ts";
import { migrationsFor } from "./migrations/index.ts";
import type { ControlTables } from "./tables.ts";

/**
 * Brings the database up to date, once, also when several processes start at the same time. Rejects with
 * `WHENCE_ERR_CONTROL_MIGRATION_FAILED`, or with `WHENCE_ERR_CONTROL_UNAVAILABLE` when the database does not answer.
 */
export async function migrate(db: Kysely<ControlTables>, type: DatabaseType): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor(type) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof WhenceError) throw error;
  const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the first step";
  const reason = error instanceof Error ? error.message : String(error);
  throw storageErrors.create("WHENCE_ERR_CONTROL_MIGRATION_FAILED", [failed, reason], { cause: error });
}
