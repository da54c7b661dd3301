import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drainPending, Session } from "chdb";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import { toRows } from "../../src/events/to-row.ts";
import type { StoredEvent } from "../../src/index.ts";
import { stored } from "../stored-event.ts";
import { firstColumns, firstSchema } from "./first-schema.ts";

const parent = mkdtempSync(join(tmpdir(), "whence-events-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(parent, "data-"));
});

const received = new Date(Date.now() - 60_000).toISOString();
const since = new Date(Date.now() - 86_400_000).toISOString();

/** What the first release would have written. */
function firstInsert(events: readonly StoredEvent[]): string {
  const rows = toRows(events).map((row) => `${row.split("\t").slice(0, firstColumns.length).join("\t")}\n`);
  return `INSERT INTO whence.events (${firstColumns.join(", ")}) FORMAT TabSeparated\n${rows.join("")}`;
}

async function asked<Value>(ask: (session: Session) => Value): Promise<Value> {
  const session = new Session(path);
  try {
    return ask(session);
  } finally {
    session.close();
    await drainPending();
  }
}

function event(seq: number, more: Partial<StoredEvent> = {}): StoredEvent {
  return stored({
    ...{ scopeId: "org_first", fingerprint: "v1:first", receivedAt: received, ...more },
    event: { seq, timestamp: received },
  });
}

describe("schema", () => {
  it("opens a directory of the first release, keeps its events, and accounts for them too", async () => {
    const dropped = [{ from_seq: 3, to_seq: 4, reason: "queue_full" as const }];
    const old = [event(1), event(2), event(5, { dropped })];
    await asked((session) => {
      for (const query of firstSchema) session.query(query);
      session.query(firstInsert(old));
    });
    const store = await openEmbeddedEventStore({ path });
    const scoped = store.forScope("org_first");
    const found = await scoped.find({ from: since, to: new Date().toISOString(), limit: 10 });
    expect(new Set(found.map(({ event }) => event.id))).toEqual(new Set(old.map(({ event }) => event.id)));
    await store.insert([event(7)]);
    expect((await scoped.failure("v1:first"))?.events).toBe(4);
    const [account] = await scoped.deliveries({ since, limit: 10 });
    expect(account).toMatchObject({ received: 4, lastSeq: 7 });
    expect(account?.missing).toEqual([
      { fromSeq: 3, toSeq: 4, reason: "queue_full" },
      { fromSeq: 6, toSeq: 6, reason: "unaccounted" },
    ]);
    await store.close();
  });

  it("counts the failures of a directory of the first release with those that come after, each once", async () => {
    const [old, again] = [event(1), event(2)];
    await asked((session) => {
      for (const query of firstSchema) session.query(query);
      session.query(firstInsert([old, again]));
    });
    const store = await openEmbeddedEventStore({ path });
    await store.insert([again, event(3)]);
    const window = { service: "shop", env: "PROD", from: since, to: new Date().toISOString() };
    const activity = await store.forScope("org_first").activity({ ...window, fingerprint: "v1:first" });
    expect(activity.map(({ failing, otherFailures }) => [failing, otherFailures])).toEqual([[3, 0]]);
    await store.close();
  });

  it("takes what a process of the first release still writes beside it", async () => {
    const store = await openEmbeddedEventStore({ path });
    const session = new Session(path);
    session.query(firstInsert([event(1), event(3, { dropped: [{ from_seq: 2, to_seq: 2, reason: "too_large" }] })]));
    session.close();
    const [account] = await store.forScope("org_first").deliveries({ since, limit: 10 });
    expect(account?.missing).toEqual([{ fromSeq: 2, toSeq: 2, reason: "too_large" }]);
    expect((await store.forScope("org_first").failure("v1:first"))?.events).toBe(2);
    await store.close();
  });

  it("keeps the accounts made before it kept releases, and fills in the release of who goes on", async () => {
    await (await openEmbeddedEventStore({ path })).close();
    await asked((session) => {
      session.query("DROP VIEW whence.deliveries_view");
      session.query("ALTER TABLE whence.deliveries DROP COLUMN release");
      session.query("DROP VIEW whence.vitals_view");
      session.query("DROP TABLE whence.vitals");
      const columns =
        "scope_id, service, instance, env, host, first_received_at, received_at, numbers, last_seq, ended";
      for (const instance of ["gone", "going-on"]) {
        session.query(`INSERT INTO whence.deliveries (${columns}) SELECT 'org_first', 'shop', '${instance}', 'PROD',
          'host-1', now64(3) - 600, now64(3) - 500, groupBitmapState(toUInt64(1)), 1, 0`);
      }
      const beat = { ...event(1, { instance: "going-on" }), fingerprint: "" };
      session.query(firstInsert([{ ...beat, event: { ...beat.event, type: "heartbeat" } }]));
    });
    const store = await openEmbeddedEventStore({ path });
    const scoped = store.forScope("org_first");
    await store.insert([event(2, { instance: "going-on", release: "2.0" })]);
    const lives = await scoped.lives({ env: "PROD", since, limit: 9 });
    expect(lives.map(({ instance, release }) => `${instance} ${release}`).sort()).toEqual(["going-on 2.0", "gone "]);
    expect(await scoped.deliveries({ since, limit: 9 })).toHaveLength(2);
    const vitals = await scoped.vitals({
      ...{ env: "PROD", services: ["shop"], limit: 9 },
      ...{ from: since, to: new Date().toISOString() },
    });
    expect(vitals).toMatchObject([{ instance: "going-on", beats: 1 }]);
    await store.close();
  });

  it("changes nothing when it is opened again", async () => {
    const made = "SELECT name, create_table_query FROM system.tables WHERE database = 'whence' ORDER BY name";
    await (await openEmbeddedEventStore({ path })).close();
    const first = await asked((session) => session.query(made));
    await (await openEmbeddedEventStore({ path })).close();
    expect(await asked((session) => session.query(made))).toBe(first);
    expect(await asked((session) => session.query("SELECT count() FROM system.mutations"))).toBe("0\n");
  });

  it("makes of the first release's tables what it makes new, the old view's way of saying it aside", async () => {
    const columns = `SELECT table, name, type, default_expression, compression_codec FROM system.columns
      WHERE database = 'whence' ORDER BY table, position`;
    const engines = `SELECT name, engine, sorting_key, partition_key, extract(engine_full, 'TTL .*') FROM system.tables
      WHERE database = 'whence' ORDER BY name`;
    const both = (session: Session): string[] => [session.query(columns), session.query(engines)];
    await asked((session) => {
      for (const query of firstSchema) session.query(query);
    });
    await (await openEmbeddedEventStore({ path })).close();
    const upgraded = await asked(both);
    path = mkdtempSync(join(parent, "data-"));
    await (await openEmbeddedEventStore({ path })).close();
    const [tables, kinds] = await asked(both);
    expect(upgraded[0]?.split("\n").filter((line) => !line.includes("_view"))).toEqual(
      tables?.split("\n").filter((line) => !line.includes("_view")),
    );
    expect(upgraded[1]?.replaceAll(/SETTINGS .*/g, "")).toEqual(kinds?.replaceAll(/SETTINGS .*/g, ""));
    for (const column of ["retention_days", "service_retention"]) {
      expect(upgraded[0]).toContain(`"failure_minutes_view","${column}"`);
    }
  });
});
