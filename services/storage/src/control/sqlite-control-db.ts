import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { storageErrors } from "../errors.ts";
import { agentDirectory } from "./agent-directory.ts";
import type { ControlDb } from "./control-db.ts";
import { failureRepository } from "./failure-repository.ts";
import { incidentRepository } from "./incident-repository.ts";
import { keyDirectory } from "./key-directory.ts";
import { type DatabaseType, migrationsFor } from "./migrations/index.ts";
import { nodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { organizationDirectory } from "./organization-directory.ts";
import { outbox } from "./outbox.ts";
import type { ControlTables } from "./tables.ts";

/**
 * Opens the control database in one SQLite file, made when it is missing, and brings it up to date. Rejects with
 * `WHENCE_ERR_CONTROL_UNAVAILABLE` when the file cannot be opened.
 */
export async function openSqliteControlDb({ path }: { readonly path: string }): Promise<ControlDb> {
  const db = new Kysely<ControlTables>({ dialect: nodeSqliteDialect(path) });
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [path, messageOf(cause)], { cause });
  }
  try {
    await migrate(db, "sqlite");
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return controlDb(db, "sqlite");
}

function controlDb(db: Kysely<ControlTables>, type: DatabaseType): ControlDb {
  return {
    keys: keyDirectory(db),
    agents: agentDirectory(db),
    organizations: organizationDirectory(db),
    outbox: outbox(db),
    scope: (scopeId) => ({ incidents: incidentRepository(db, scopeId), failures: failureRepository(db, scopeId) }),
    identity: { db: db.withTables<Record<never, never>>() as Kysely<unknown>, type },
    close: () => db.destroy(),
  };
}

async function migrate(db: Kysely<ControlTables>, type: DatabaseType): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor(type) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the first step";
  throw storageErrors.create("WHENCE_ERR_CONTROL_MIGRATION_FAILED", [failed, messageOf(error)], { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
