import { WhenceError } from "@whence/protocol";
import type { Kysely } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { storageErrors } from "../../errors.ts";
import type { DatabaseType } from "../migrations/column-types.ts";
import { migrationsFor } from "../migrations/index.ts";
import type { ControlTables } from "../tables.ts";

/**
 * Migrates the database, once even if several processes start at the same time. A newer database is left as it is,
 * unless one of its migrations removed what this release needs. Rejects with `WHENCE_ERR_CONTROL_MIGRATION_FAILED`, or
 * with `WHENCE_ERR_CONTROL_UNAVAILABLE` when the database doesn't answer.
 */
export async function migrate(db: Kysely<ControlTables>, type: DatabaseType): Promise<void> {
  const ours = migrationsFor(type);
  const newer = await newerMigrations(db, ours);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...ours, ...newer }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof WhenceError) throw error;
  // A newer release brought the database further between the look at it and the migration.
  const newerNow = await newerMigrations(db, ours);
  if (Object.keys(newerNow).length > Object.keys(newer).length) return migrate(db, type);
  const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the first step";
  throw failure(failed, error instanceof Error ? error.message : String(error), error);
}

/** The names of the migrations that the database has seen. */
export async function appliedMigrations(db: Kysely<ControlTables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const applied = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select("name")
    .orderBy("name")
    .execute();
  return applied.map(({ name }) => name);
}

type Migrations = Record<string, Migration>;

/** Migrations that a newer release has run, as ones with nothing to do. */
async function newerMigrations(db: Kysely<ControlTables>, ours: Migrations): Promise<Migrations> {
  const newer = (await appliedMigrations(db)).filter((name) => !(name in ours));
  const contracting = newer.find((name) => /^\d+-contract/.test(name));
  if (contracting !== undefined)
    throw failure(contracting, "a newer release has run it, and this one needs what it removed");
  return Object.fromEntries(newer.map((name) => [name, { up: async () => undefined }]));
}

function failure(migration: string, reason: string, cause?: unknown): Error {
  return storageErrors.create("WHENCE_ERR_CONTROL_MIGRATION_FAILED", [migration, reason], { cause });
}
