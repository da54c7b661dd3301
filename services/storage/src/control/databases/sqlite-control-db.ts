import { Kysely } from "kysely";
import { createKeyring } from "../../secrets/keyring.ts";
import type { ControlDb } from "../control-db.ts";
import { controlDb } from "../kysely-control-db.ts";
import type { ControlTables } from "../tables.ts";
import { migrate } from "./migrate.ts";
import { nodeSqliteDialect } from "./node-sqlite-dialect.ts";

export interface SqliteControlDbOptions {
  readonly path: string;
  /** 32 bytes each: the first seals credentials, all of them open what is stored. */
  readonly secretKeys: readonly Buffer[];
}

/**
 * Opens the control database in one SQLite file, made when it is missing, and brings it up to date. Rejects with
 * `WHENCE_ERR_CONTROL_UNAVAILABLE` when the file cannot be opened.
 */
export async function openSqliteControlDb({ path, secretKeys }: SqliteControlDbOptions): Promise<ControlDb> {
  const keyring = createKeyring(secretKeys);
  const connect = (): Kysely<ControlTables> => new Kysely({ dialect: nodeSqliteDialect(path) });
  const db = connect();
  try {
    await migrate(db, "sqlite");
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return controlDb(db, { type: "sqlite", keyring, connectApart: connect });
}
