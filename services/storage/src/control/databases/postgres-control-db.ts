import { Kysely, PostgresDialect } from "kysely";
import { createKeyring } from "../../secrets/keyring.ts";
import type { ControlDb } from "../control-db.ts";
import { controlDb } from "../kysely-control-db.ts";
import type { ControlTables } from "../tables.ts";
import { migrate } from "./migrate.ts";
import { type PostgresPoolOptions, postgresPool } from "./postgres-pool.ts";

export interface PostgresControlDbOptions {
  /**
   * `postgres://user:password@host:port/database?sslmode=verify-full`. As node-postgres reads it: `require` verifies the
   * certificate too, `no-verify` does not, `sslrootcert` names the authority's file.
   */
  readonly url: string;
  /** The most connections of this process; {@link poolSizeDefault} by default. */
  readonly poolSize?: number;
  /** 32 bytes each: the first seals credentials, all of them open what is stored. */
  readonly secretKeys: readonly Buffer[];
}

const poolSizeDefault = 10;

/**
 * Opens the control database on a PostgreSQL server (14 or newer) and brings it up to date. Rejects with
 * `WHENCE_ERR_CONTROL_UNAVAILABLE` when the server cannot be reached; once open, it survives the server's restarts.
 */
export async function openPostgresControlDb({
  url,
  poolSize = poolSizeDefault,
  secretKeys,
}: PostgresControlDbOptions): Promise<ControlDb> {
  const keyring = createKeyring(secretKeys);
  const connectApart = (): Kysely<ControlTables> => connect(url, { connectionsMax: 1, hasTimeouts: false });
  const migrating = connectApart();
  try {
    await migrate(migrating, "postgres");
  } finally {
    await migrating.destroy();
  }
  const db = connect(url, { connectionsMax: poolSize, hasTimeouts: true });
  return controlDb(db, { type: "postgres", keyring, connectApart });
}

function connect(url: string, options: PostgresPoolOptions): Kysely<ControlTables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: postgresPool(url, options) }) });
}
