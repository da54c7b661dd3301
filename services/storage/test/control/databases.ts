import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { openPostgresControlDb } from "../../src/control/databases/postgres-control-db.ts";
import { openSqliteControlDb } from "../../src/control/databases/sqlite-control-db.ts";
import type { ControlDb } from "../../src/index.ts";

/** Opens one and the same database, as often as asked; closed with the test. */
export type OpenAgain = (secretKeys?: readonly Buffer[]) => Promise<ControlDb>;

/** A kind of control database; `create` makes one that holds nothing yet. */
export interface Kind {
  readonly name: "sqlite" | "postgres";
  create(): Promise<OpenAgain>;
}

export interface PostgresKind extends Kind {
  /** The URL of an empty database. */
  url(): Promise<string>;
}

/** Both kinds, for the tests of one file. */
export function controlDatabases(): readonly [Kind, PostgresKind] {
  const directory = mkdtempSync(join(tmpdir(), "whence-control-"));
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  let files = 0;
  const sqlite = async (): Promise<OpenAgain> => {
    files += 1;
    const path = join(directory, `${files}.sqlite`);
    return (secretKeys = []) => closedWithTest(openSqliteControlDb({ path, secretKeys }));
  };
  const postgres = async (): Promise<OpenAgain> => {
    const url = await server.database();
    return (secretKeys = []) => closedWithTest(openPostgresControlDb({ url, secretKeys }));
  };
  return [
    { name: "sqlite", create: sqlite },
    { name: "postgres", create: postgres, url: () => server.database() },
  ];
}

async function closedWithTest(opening: Promise<ControlDb>): Promise<ControlDb> {
  const db = await opening;
  onTestFinished(() => db.close());
  return db;
}
