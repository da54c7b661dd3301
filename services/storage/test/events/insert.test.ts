import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import type { EventStore, StoredEvent } from "../../src/index.ts";
import { stored, storedLosses } from "../stored-event.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
let store: EventStore;
beforeAll(async () => {
  store = await openEmbeddedEventStore({ path, retentionDays: 3_650 });
  // What lies there is to be counted.
  const session = new Session(path);
  session.query("SYSTEM STOP MERGES");
  session.close();
});
afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

/** Rows as they lie there, before duplicates are merged away. */
function rows(table: string): number {
  const session = new Session(path);
  try {
    return Number(session.query(`SELECT count() FROM whence.${table}`, "TSVRaw"));
  } finally {
    session.close();
  }
}

describe("insert", () => {
  it("stores the same group once, in whatever order it is tried again, and its rollups too", async () => {
    const group = Array.from({ length: 50 }, () => stored({ fingerprint: "v1:again" }));
    await store.insert(group);
    const before = ["events", "failure_minutes", "deliveries"].map(rows);
    await store.insert(group);
    await store.insert(group.toReversed());
    expect(["events", "failure_minutes", "deliveries"].map(rows)).toEqual(before);
  });

  it("stores the group of another organization that has the same ids", async () => {
    const ours = stored({ scopeId: "org_one" });
    await store.insert([ours]);
    await store.insert([{ ...ours, scopeId: "org_two" }]);
    expect(await store.forScope("org_two").event(ours.event.id)).toMatchObject({ scopeId: "org_two" });
  });

  it("stores what a group has beside events that are stored already", async () => {
    const [one, two] = [stored({ scopeId: "org_more" }), stored({ scopeId: "org_more" })];
    await store.insert([one]);
    await store.insert([one, two]);
    expect(await store.forScope("org_more").event(two.event.id)).toEqual(two);
  });

  it("stores a group that comes again with another loss report, and that once", async () => {
    const group = [1, 2].map((seq) => stored({ scopeId: "org_report", instance: "i1", event: { seq } }));
    const reporting = (to_seq: number): StoredEvent[] =>
      group.map((event, index) =>
        index === 0 ? { ...event, dropped: [{ from_seq: 3, to_seq, reason: "closed" as const }] } : event,
      );
    const lastSeq = async (): Promise<number | undefined> =>
      (await store.forScope("org_report").deliveries({ since: "2020-01-01T00:00:00Z", limit: 1 }))[0]?.lastSeq;
    await store.insert(group);
    expect(await lastSeq()).toBe(2);
    await store.insert(reporting(4));
    expect(await lastSeq()).toBe(4);
    await store.insert(reporting(5));
    expect(await lastSeq()).toBe(5);
    const before = ["events", "deliveries"].map(rows);
    await store.insert(reporting(4));
    await store.insert(reporting(5).toReversed());
    expect(["events", "deliveries"].map(rows)).toEqual(before);
  });

  it("stores prepared parts as one group, once, in whatever order they come again", async () => {
    const parts = [1, 2, 3].map((seq) =>
      store.prepare([stored({ scopeId: "org_parts", event: { seq } }), stored({ scopeId: "org_parts" })]),
    );
    const empty = store.prepare([]);
    await store.insertPrepared([empty, ...parts]);
    const before = rows("events");
    await store.insertPrepared(parts.toReversed());
    await store.insertPrepared([empty]);
    expect(rows("events")).toBe(before);
    const range = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", limit: 100 };
    expect(await store.forScope("org_parts").find(range)).toHaveLength(6);
  });

  it("stores an event's own text where it has one, and reads the same event back", async () => {
    const event = stored({ scopeId: "org_text", event: { message: 'C:\\dir\t"quoted"\nüñí', seq: 7 } });
    const text = JSON.stringify(event.event, Object.keys(event.event).reverse()).replaceAll(":", ": ");
    expect(text).not.toBe(JSON.stringify(event.event));
    const read = JSON.parse(text);
    await store.insert([{ ...event, event: read, eventText: text }]);
    expect(await store.forScope("org_text").event(read.id)).toEqual({ ...event, event: read });
  });

  it("adds nothing to an account when losses without an event come again", async () => {
    const losses = [storedLosses({ scopeId: "org_loss", dropped: [{ from_seq: 1, to_seq: 2, reason: "closed" }] })];
    await store.insertLosses(losses);
    const before = rows("deliveries");
    await store.insertLosses(losses);
    expect(rows("deliveries")).toBe(before);
    expect(rows("losses")).toBe(0);
  });

  it("leaves no file behind", () => {
    expect(readdirSync(join(path, "incoming"))).toEqual([]);
  });

  it("rejects, and leaves no file behind, when the engine refuses", async () => {
    const odd = { ...stored({}), receivedAt: "no time" };
    await expect(store.insert([odd])).rejects.toMatchObject({ code: "WHENCE_ERR_EVENTS_UNAVAILABLE" });
    const unreadable = { ...stored({}), retentionDays: Number.NaN };
    await expect(store.insert([unreadable])).rejects.toMatchObject({ code: "WHENCE_ERR_EVENTS_UNAVAILABLE" });
    expect(readdirSync(join(path, "incoming"))).toEqual([]);
  });
});
