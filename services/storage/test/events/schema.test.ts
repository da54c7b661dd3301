import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs } from "@whence/protocol";
import { drainPending, Session } from "chdb";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import { type SchemaPlace, widenView } from "../../src/events/schema/statements.ts";
import { views } from "../../src/events/schema/views.ts";
import type { StoredEvent } from "../../src/index.ts";
import { stored } from "../stored-event.ts";

const parent = mkdtempSync(join(tmpdir(), "whence-events-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(parent, "data-"));
});

const received = new Date(Date.now() - 60_000).toISOString();
const since = new Date(Date.now() - dayMs).toISOString();

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
    scopeId: "org_1",
    fingerprint: "v1:one",
    receivedAt: received,
    ...more,
    event: { seq, timestamp: received },
  });
}

const place: SchemaPlace = { database: "whence", cluster: undefined, retentionDays: 30 };
const made = "SELECT name, create_table_query FROM system.tables WHERE database = 'whence' ORDER BY name";

/** What a view's statement was before it filled the column. */
function without(column: string, viewName: string): string {
  const view = views.find(({ name }) => name === viewName);
  if (!view) throw new Error(`there is no view ${viewName}`);
  const { [column]: _left, ...columns } = view.columns;
  return widenView({ ...view, columns }, place);
}

describe("schema", () => {
  it("adds a missing column to a table, and has its view fill it", async () => {
    const before = await openEmbeddedEventStore({ path });
    await before.insert([event(1, { instance: "gone", release: "1.0" })]);
    await before.close();
    const first = await asked((session) => {
      const statements = session.query(made);
      session.query(without("release", "deliveries_view"));
      session.query("ALTER TABLE whence.deliveries DROP COLUMN release");
      return statements;
    });
    const store = await openEmbeddedEventStore({ path });
    await store.insert([event(1, { instance: "new", release: "2.0" })]);
    const lives = await store.forScope("org_1").lives({ env: "PROD", since, limit: 9 });
    expect(lives.map(({ instance, release }) => `${instance} ${release}`).sort()).toEqual(["gone ", "new 2.0"]);
    await store.close();
    expect(await asked((session) => session.query(made))).toBe(first);
  });

  it("fills a missing table from what is stored, each event once", async () => {
    const heartbeat = event(1);
    const stored = { ...heartbeat, fingerprint: "", event: { ...heartbeat.event, type: "heartbeat" as const } };
    const before = await openEmbeddedEventStore({ path });
    await before.insert([stored]);
    await before.close();
    await asked((session) => {
      session.query("DROP VIEW whence.vitals_view");
      session.query("DROP TABLE whence.vitals");
    });
    const store = await openEmbeddedEventStore({ path });
    await store.insert([stored]);
    const vitals = await store
      .forScope("org_1")
      .vitals({ env: "PROD", services: ["shop"], limit: 9, from: since, to: new Date().toISOString() });
    expect(vitals).toMatchObject([{ instance: stored.instance, beats: 1 }]);
    await store.close();
  });

  it("counts each failure once, whether stored before or after a view was created", async () => {
    const [old, again] = [event(1), event(2)];
    const before = await openEmbeddedEventStore({ path });
    await before.insert([old, again]);
    await before.close();
    await asked((session) => {
      session.query("DROP VIEW whence.failure_minutes_view");
      session.query("TRUNCATE TABLE whence.failure_minutes");
    });
    const store = await openEmbeddedEventStore({ path });
    await store.insert([again, event(3)]);
    expect((await store.forScope("org_1").failure("v1:one"))?.events).toBe(3);
    await store.close();
  });

  it("changes nothing when it is opened again", async () => {
    await (await openEmbeddedEventStore({ path })).close();
    const first = await asked((session) => session.query(made));
    await (await openEmbeddedEventStore({ path })).close();
    expect(await asked((session) => session.query(made))).toBe(first);
    expect(await asked((session) => session.query("SELECT count() FROM system.mutations"))).toBe("0\n");
  });
});
