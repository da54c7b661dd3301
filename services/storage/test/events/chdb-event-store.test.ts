import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs } from "@whence/protocol";
import { Session } from "chdb";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import { stored } from "../stored-event.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
afterAll(() => rmSync(path, { recursive: true, force: true }));

/** Asks the engine of the store that is open, past the port. */
function rows(query: string): string[] {
  const session = new Session(path);
  const answer = session.query(query, "TSVRaw");
  session.close();
  return answer.split("\n").filter((line) => line !== "");
}

const tables =
  "SELECT engine_full FROM system.tables WHERE database = 'whence' AND engine LIKE '%MergeTree' ORDER BY name";
const keeps = (days: number) => (engine: string) =>
  new RegExp(`(retention_days = 0|service_retention = 1), ${days},`).test(engine);

describe("chdb event store", () => {
  it("keeps events for 30 days by default, and follows another retention at the next start", async () => {
    const first = await openEmbeddedEventStore({ path });
    expect(rows(tables).every(keeps(30))).toBe(true);
    expect(rows(tables).length).toBe(7);
    await first.close();
    const second = await openEmbeddedEventStore({ path, retentionDays: 7 });
    expect(rows(tables).every(keeps(7))).toBe(true);
    await second.close();
  });

  it("drops what was received before the retention, and nothing newer", async () => {
    const store = await openEmbeddedEventStore({ path, retentionDays: 7 });
    const at = (ageMs: number) => new Date(Date.now() - ageMs).toISOString();
    const event = (ageMs: number) =>
      stored({ scopeId: "org_ttl", fingerprint: "v1:ttl", receivedAt: at(ageMs), event: { timestamp: at(ageMs) } });
    const kept = event(6 * dayMs);
    await store.insert([event(8 * dayMs), kept]);
    const session = new Session(path);
    for (const table of ["events", "failure_minutes"]) session.query(`OPTIMIZE TABLE whence.${table} FINAL`);
    session.close();
    const found = await store.forScope("org_ttl").find({ from: at(30 * dayMs), to: at(0), limit: 10 });
    expect(found).toEqual([kept]);
    expect((await store.forScope("org_ttl").failure("v1:ttl"))?.events).toBe(1);
    await store.close();
  });

  it("partitions by day, orders by scope, service, and time, and writes no log tables of its own", async () => {
    const store = await openEmbeddedEventStore({ path });
    const [events] = rows("SELECT engine_full FROM system.tables WHERE database = 'whence' AND name = 'events'");
    expect(events).toContain("PARTITION BY toYYYYMMDD(timestamp)");
    expect(events).toContain("ORDER BY (scope_id, service, timestamp, id)");
    await store.insert([stored({})]);
    const session = new Session(path);
    session.query("SYSTEM FLUSH LOGS");
    session.close();
    expect(rows("SELECT name FROM system.tables WHERE database = 'system' AND engine LIKE '%MergeTree'")).toEqual([]);
    await store.close();
  });

  it("rejects with a reason once it is closed", async () => {
    const store = await openEmbeddedEventStore({ path });
    await store.close();
    const unavailable = { code: "WHENCE_ERR_EVENTS_UNAVAILABLE", status: 503 };
    await expect(store.insert([stored({})])).rejects.toMatchObject(unavailable);
    await expect(store.forScope("org_any").event("id")).rejects.toMatchObject(unavailable);
    await expect(store.check()).rejects.toMatchObject(unavailable);
  });

  it("rejects a directory whose name the engine would read as a pattern", async () => {
    await expect(openEmbeddedEventStore({ path: join(path, "{a,b}") })).rejects.toMatchObject({
      code: "WHENCE_ERR_EVENTS_UNAVAILABLE",
    });
  });

  it("removes what an exit left on its way to the engine", async () => {
    await (await openEmbeddedEventStore({ path })).close();
    writeFileSync(join(path, "incoming", "0.tsv"), "half a ro");
    const store = await openEmbeddedEventStore({ path });
    expect(readdirSync(join(path, "incoming"))).toEqual([]);
    await store.close();
  });

  it("rejects a directory that can't be created", async () => {
    await expect(openEmbeddedEventStore({ path: "/proc/nowhere" })).rejects.toMatchObject({
      code: "WHENCE_ERR_EVENTS_UNAVAILABLE",
    });
  });
});
