import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/servers/free-port.ts";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { openPostgresControlDb } from "../../src/control/databases/postgres-control-db.ts";
import { migrationsFor } from "../../src/control/migrations/index.ts";
import type { ControlDb } from "../../src/index.ts";
import { newIncident, now } from "./contract/samples.ts";

const deadlineMs = 300_000;
const unavailable = { code: "WHENCE_ERR_CONTROL_UNAVAILABLE" };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Opens one and the same new database, as often as asked. */
async function databases(): Promise<() => Promise<ControlDb>> {
  const url = await server.database();
  return async () => {
    const db = await openPostgresControlDb({ url, secretKeys: [] });
    onTestFinished(() => db.close());
    return db;
  };
}

async function open(): Promise<ControlDb> {
  return (await databases())();
}

/** Resolves when the database answers again, or rejects with why it does not within the deadline. */
async function answers(db: ControlDb): Promise<void> {
  const until = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await db.check();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

describe("a PostgreSQL control database", () => {
  it("reports that the server is down, on every path, and recovers when it is back", async () => {
    const db = await open();
    const { incidents, failures, secrets } = db.scope("org_1");
    const { id } = await incidents.open(newIncident());
    await server.restart("fast", async () => {
      const attempts = [
        db.check(),
        db.keys.find("hash", now),
        db.organizations.ensure({ slug: "acme", name: "Acme", now }),
        db.usage.add("org_1", "2026-03-01", 1),
        db.outbox.pending(1),
        db.identity.db.introspection.getTables(),
        ...[incidents.open(newIncident()), incidents.begin(id, now), incidents.find(id)],
        ...[failures.list({ limit: 1 }), secrets.get("slack"), secrets.remove("slack")],
        db.exportRows()[Symbol.asyncIterator]().next(),
        db.importRows([]),
      ];
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({ status: "rejected", reason: unavailable });
      }
    });
    await answers(db);
    expect(await incidents.find(id)).toMatchObject({ status: "queued" });
  });

  it.each(["fast", "immediate"] as const)(
    "has what it confirmed before a restart (%s), and nothing by halves",
    async (mode) => {
      const db = await open();
      const { incidents } = db.scope("org_1");
      const confirmed: string[] = [];
      const refused: unknown[] = [];
      let isOver = false;
      const work = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          await incidents.open(newIncident()).then(
            ({ id }) => confirmed.push(id),
            (error: unknown) => refused.push(error),
          );
        }
      });
      const confirms = async (): Promise<void> => {
        const before = confirmed.length;
        await expect.poll(() => confirmed.length).toBeGreaterThan(before + 20);
      };
      await confirms();
      await server.restart(mode);
      await confirms();
      isOver = true;
      await Promise.all(work);
      expect(refused.length).toBeGreaterThan(0);
      for (const error of refused) expect(error).toMatchObject(unavailable);
      const stored = (await incidents.list({ limit: 100_000 })).map(({ id }) => id);
      expect(confirmed.filter((id) => !stored.includes(id))).toEqual([]);
      const outbox = (await db.outbox.pending(100_000)).map(({ id }) => id);
      expect(outbox.toSorted()).toEqual(stored.toSorted());
    },
  );

  it("drops a connection that the server closed, or on which it canceled a statement, and opens another", async () => {
    const db = await open();
    const { db: raw } = db.identity;
    for (const ended of ["pg_terminate_backend", "pg_cancel_backend"]) {
      await expect(sql`select ${sql.raw(ended)}(pg_backend_pid())`.execute(raw)).rejects.toMatchObject(unavailable);
      await db.check();
    }
  });

  it("limits the time of a statement and of an idle transaction", async () => {
    const { db } = (await open()).identity;
    const shown = async (name: string): Promise<unknown> => (await sql`show ${sql.raw(name)}`.execute(db)).rows[0];
    expect(await shown("statement_timeout")).toEqual({ statement_timeout: "15s" });
    const idle = "idle_in_transaction_session_timeout";
    expect(await shown(idle)).toEqual({ [idle]: "30s" });
  });

  it("gives a backup all the time that its reader takes, whatever the server's own limits", async () => {
    const open = await databases();
    const { db: raw } = (await open()).identity;
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(raw);
    const name = sql.ref(rows[0]?.name ?? "");
    await sql`alter database ${name} set idle_in_transaction_session_timeout = '50ms'`.execute(raw);
    await sql`alter database ${name} set statement_timeout = '50ms'`.execute(raw);
    const tables: string[] = [];
    for await (const { table } of (await open()).exportRows()) {
      await setTimeout(100);
      tables.push(table);
    }
    expect(tables).toEqual(Object.keys(migrationsFor("postgres")).map(() => "migration"));
  });

  it("isn't opened when the server can't be reached or refuses, and never reveals the password", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const closed = await freePort();
    const urls: [string, RegExp][] = [
      [`postgres://whence:hidden-password@127.0.0.1:${closed}/postgres`, /ECONNREFUSED/],
      ["postgres://whence:hidden-password@unknown.invalid/postgres", /ENOTFOUND|EAI_AGAIN/],
      [`postgres://whence:hidden-password@127.0.0.1:${port}/postgres`, /timeout/],
      [server.url.replace(/:[^:]+@/, ":hidden-password@"), /password authentication failed/],
      [server.url.replace(/:[^:]+@/, ":hidden-password@").concat("?sslmode=verify-full"), /does not support SSL/],
      ["mysql://whence:hidden-password@127.0.0.1/whence", /not of the form/],
      ["postgres://whence:hidden-password@host:port/whence", /not of the form/],
    ];
    for (const [url, reason] of urls) {
      const error: unknown = await openPostgresControlDb({ url, secretKeys: [] }).catch((refused: unknown) => refused);
      expect(error).toMatchObject({ ...unavailable, message: expect.stringMatching(reason) });
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain("hidden-password");
    }
  });
});
