import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { nodeSqliteDialect } from "../../src/control/databases/node-sqlite-dialect.ts";
import { openPostgresControlDb } from "../../src/control/databases/postgres-control-db.ts";
import { postgresPool } from "../../src/control/databases/postgres-pool.ts";
import { openSqliteControlDb } from "../../src/control/databases/sqlite-control-db.ts";
import type { DatabaseType } from "../../src/control/migrations/column-types.ts";
import { migrationsFor } from "../../src/control/migrations/index.ts";
import type { ControlTables } from "../../src/control/tables.ts";
import type { ControlDb } from "../../src/index.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

/** The last migration before a kind could have several connections. */
const beforeConnections = "0013-watched-runs";

interface Place {
  /** Connects without migrating. */
  connect(): Kysely<EarlierTables>;
  open(): Promise<ControlDb>;
}

/** A table that `0014-contract-connections` replaces. */
interface EarlierTables {
  readonly integration: {
    scope_id: string;
    kind: string;
    vendor: string;
    belongs_to: string;
    inputs_json: string;
    connected_at: string;
    user_id: string;
    user_name: string;
    answered_at: string | null;
    failed_at: string | null;
    failure: string | null;
    findings: number;
  };
}

const acme: EarlierTables["integration"] = {
  ...{ scope_id: "acme", kind: "code_host", vendor: "github", belongs_to: "organization acme" },
  ...{ inputs_json: '{"installation":"7"}', connected_at: "2026-01-01T00:00:00.000Z" },
  ...{ user_id: "u1", user_name: "Ada", answered_at: "2026-01-02T00:00:00.000Z" },
  ...{ failed_at: "2026-01-03T00:00:00.000Z", failure: "refused", findings: 12 },
};
const globex: EarlierTables["integration"] = {
  ...{ scope_id: "globex", kind: "code_host", vendor: "gitlab", belongs_to: "group globex", inputs_json: "{}" },
  ...{ connected_at: "2026-01-04T00:00:00.000Z", user_id: "u2", user_name: "Grace", answered_at: null },
  ...{ failed_at: null, failure: null, findings: 0 },
};

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const places: Record<DatabaseType, () => Promise<Place>> = {
  sqlite: async () => {
    const path = join(temporaryDirectory(), "control.sqlite");
    return {
      connect: () => new Kysely({ dialect: nodeSqliteDialect(path) }),
      open: () => openSqliteControlDb({ path, secretKeys: [] }),
    };
  },
  postgres: async () => {
    const url = await server.database();
    const options = { connectionsMax: 1, hasTimeouts: false };
    return {
      connect: () => new Kysely({ dialect: new PostgresDialect({ pool: postgresPool(url, options) }) }),
      open: () => openPostgresControlDb({ url, secretKeys: [] }),
    };
  },
};

describe.each(["sqlite", "postgres"] as const)("a %s database with one connection of a kind", (type) => {
  it("keeps each scope's connections, as ones without a name, and can have others beside them", async () => {
    const { connect, open } = await places[type]();
    const earlier = connect();
    const provider = { getMigrations: async () => migrationsFor(type) };
    const { error } = await new Migrator({ db: earlier, provider }).migrateTo(beforeConnections);
    expect(error).toBeUndefined();
    await earlier.insertInto("integration").values([acme, globex]).execute();
    await earlier.destroy();

    const control = await open();
    try {
      const db = control.identity.db.withTables<Pick<ControlTables, "connection" | "place_watch">>();
      const kept = await db.selectFrom("connection").selectAll().orderBy("scope_id").execute();
      const unnamed = { name: "", renewal_id: null, renewal_until: null };
      expect(kept.map((row) => ({ ...row, findings: Number(row.findings) }))).toEqual([
        { ...acme, ...unnamed },
        { ...globex, ...unnamed },
      ]);
      const [first] = kept;
      if (first)
        await db
          .insertInto("connection")
          .values({ ...first, name: "second" })
          .execute();
      const ofAcme = db.selectFrom("connection").select("name").where("scope_id", "=", "acme").orderBy("name");
      expect(await ofAcme.execute()).toEqual([{ name: "" }, { name: "second" }]);
      const tables = await db.introspection.getTables();
      expect(tables.map(({ name }) => name)).not.toContain("integration");
      expect(await db.selectFrom("place_watch").selectAll().execute()).toEqual([]);
    } finally {
      await control.close();
    }
  });
});
