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
  // What comes again lies there twice, as it may at any time.
  asked("SYSTEM STOP MERGES");
});
afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

/** Asks the engine itself. */
function asked(query: string): string {
  const session = new Session(path);
  try {
    return session.query(query, "TSVRaw").trim();
  } finally {
    session.close();
  }
}

const always = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", limit: 100 };

/** What the store returns for a scope that has one failure and one process. */
async function readBack(scopeId: string, fingerprint: string): Promise<unknown> {
  const scoped = store.forScope(scopeId);
  const found = await scoped.find(always);
  const failure = await scoped.failure(fingerprint);
  const accounts = await scoped.deliveries({ since: always.from, limit: 9 });
  return {
    found: found.length,
    failing: failure?.events,
    accounts: accounts.map(({ received, lastSeq, missing }) => ({ received, lastSeq, missing })),
  };
}

// First, since a later test lets rows merge.
describe("sessions that were reported together", () => {
  const reported = (scopeId: string, index: number) => ({
    ...{ scopeId, service: "shop", env: "PROD", release: "1.0", id: `${"a".repeat(64)}/${index}` },
    ...{
      at: "2026-03-01T12:00:00.000Z",
      receivedAt: "2026-03-01T12:00:00.000Z",
      sessions: 100_000,
      crashed: 0,
      unhandled: 0,
    },
  });
  const many = (scopeId: string, rows: number) => Array.from({ length: rows }, (_, index) => reported(scopeId, index));

  it.each([
    [1, 5],
    [2, 6],
    [3, 11],
  ])("are stored up to 500,000 at once: by %i inserts when they are %i times 100,000", async (inserts, rows) => {
    const scopeId = `org_sessions_${rows}`;
    await store.insertSessions(many(scopeId, rows));
    expect(asked(`SELECT count() FROM whence.session_hours WHERE scope_id = '${scopeId}'`)).toBe(`${inserts}`);
    const { counts } = await store.forScope(scopeId).sessionCounts({ service: "shop", env: "PROD", ...always });
    expect(Math.abs((counts[0]?.sessions ?? 0) / (rows * 100_000) - 1)).toBeLessThan(0.05);
  });

  it("are returned in full hours: the newest ones that have 20,000 releases at most, all hours together", async () => {
    const at = (hour: string) => ({ ...reported("org_releases", 0), at: `2026-03-01T${hour}:00:00.000Z`, sessions: 1 });
    const old = Array.from({ length: 19_999 }, (_, index) => ({ ...at("11"), release: `1.${index}` }));
    await store.insertSessions([...old, at("12")]);
    const count = () =>
      store
        .forScope("org_releases")
        .sessionCounts({ service: "shop", env: "PROD", from: "2026-03-01T00:30:00Z", to: "2026-03-02T00:00:00Z" });
    const all = await count();
    expect([all.from, all.counts.length]).toEqual(["2026-03-01T00:00:00.000Z", 20_000]);
    await store.insertSessions([{ ...at("11"), release: "2.0" }]);
    expect(await count()).toEqual({
      from: "2026-03-01T12:00:00.000Z",
      counts: [{ release: "1.0", hour: "2026-03-01T12:00:00.000Z", sessions: 1, crashed: 0, unhandled: 0 }],
    });
  });

  it.each([
    ["that all went well", 0, 0],
    ["that all crashed", 100_000, 0],
    ["that all had an error that nothing caught", 0, 100_000],
    ["that crashed or had such an error, half of them each", 50_000, 50_000],
  ])("are counted within 50 MB, 500,000 at once: %s", (_, crashed, unhandled) => {
    const scopeId = `org_sessions_${crashed}_${unhandled}`;
    const columns =
      "scope_id, service, env, release, timestamp, received_at, id, sessions, crashed, retention_days, unhandled";
    asked(`INSERT INTO whence.sessions (${columns})
      SELECT '${scopeId}', 'shop', 'PROD', '', now64(), now64(), concat(repeat('a', 64), toString(number)), 100000, ${crashed}, 0, ${unhandled}
      FROM numbers(5) SETTINGS max_memory_usage = 50000000`);
    expect(asked(`SELECT count() FROM whence.session_hours WHERE scope_id = '${scopeId}'`)).toBe("1");
  });
});

describe("insert", () => {
  it("returns and counts a group once, even when it is retried", async () => {
    const scopeId = "org_again";
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const group = numbers.map((seq) => stored({ scopeId, fingerprint: "v1:again", event: { seq } }));
    const once = { found: 50, failing: 50, accounts: [{ received: 50, lastSeq: 50, missing: [] }] };
    await store.insert(group);
    expect(await readBack(scopeId, "v1:again")).toEqual(once);
    await store.insert(group);
    await store.insert(group.toReversed());
    expect(await readBack(scopeId, "v1:again")).toEqual(once);
    expect(asked(`SELECT count() FROM whence.events WHERE scope_id = '${scopeId}'`)).toBe("150");
  });

  it("keeps an event as it first arrived when its ID is repeated with other content, before and after a merge", async () => {
    const first = stored({ scopeId: "org_first" });
    const later = {
      ...first,
      receivedAt: new Date(Date.parse(first.receivedAt) + 1).toISOString(),
      event: { ...first.event, message: "nothing happened" },
    };
    await store.insert([first]);
    await store.insert([later]);
    const scoped = store.forScope("org_first");
    const wide = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", limit: 10 };
    const seen = async () => [await scoped.event(first.event.id), ...(await scoped.find(wide))];
    expect(await seen()).toEqual([first, first]);
    asked("SYSTEM START MERGES");
    asked("OPTIMIZE TABLE whence.events FINAL");
    asked("SYSTEM STOP MERGES");
    expect(asked("SELECT count() FROM whence.events WHERE scope_id = 'org_first'")).toBe("1");
    expect(await seen()).toEqual([first, first]);
  });

  it("stores the group of another organization with the same IDs", async () => {
    const ours = stored({ scopeId: "org_one" });
    await store.insert([ours]);
    await store.insert([{ ...ours, scopeId: "org_two" }]);
    expect(await store.forScope("org_two").event(ours.event.id)).toMatchObject({ scopeId: "org_two" });
  });

  it("stores the part of a group that isn't stored yet", async () => {
    const [one, two] = [stored({ scopeId: "org_more" }), stored({ scopeId: "org_more" })];
    await store.insert([one]);
    await store.insert([one, two]);
    expect(await store.forScope("org_more").event(two.event.id)).toEqual(two);
  });

  it("takes the other loss report of a repeated group", async () => {
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
    await store.insert(reporting(4));
    await store.insert(group.toReversed());
    expect(await readBack("org_report", "")).toMatchObject({
      found: 2,
      accounts: [{ received: 2, lastSeq: 5, missing: [{ fromSeq: 3, toSeq: 5, reason: "closed" }] }],
    });
  });

  it("stores prepared parts as one group, and returns it once when it is sent again", async () => {
    const parts = [1, 3, 5].map((seq) =>
      store.prepare([seq, seq + 1].map((each) => stored({ scopeId: "org_parts", event: { seq: each } }))),
    );
    const empty = store.prepare([]);
    await store.insertPrepared([empty, ...parts]);
    await store.insertPrepared(parts.toReversed());
    await store.insertPrepared([empty]);
    expect(await readBack("org_parts", "")).toMatchObject({ found: 6, accounts: [{ received: 6, lastSeq: 6 }] });
  });

  it("stores an event's own text where it has one, and reads the same event back", async () => {
    const event = stored({ scopeId: "org_text", event: { message: 'C:\\dir\t"quoted"\nüñí', seq: 7 } });
    const text = JSON.stringify(event.event, Object.keys(event.event).reverse()).replaceAll(":", ": ");
    expect(text).not.toBe(JSON.stringify(event.event));
    const read = JSON.parse(text);
    await store.insert([{ ...event, event: read, eventText: text }]);
    expect(await store.forScope("org_text").event(read.id)).toEqual({ ...event, event: read });
  });

  it("adds nothing to an account when losses without an event are repeated", async () => {
    const losses = [storedLosses({ scopeId: "org_loss", dropped: [{ from_seq: 1, to_seq: 2, reason: "closed" }] })];
    await store.insertLosses(losses);
    const account = await readBack("org_loss", "");
    expect(account).toMatchObject({ accounts: [{ received: 0, lastSeq: 2, missing: [{ fromSeq: 1, toSeq: 2 }] }] });
    await store.insertLosses(losses);
    expect(await readBack("org_loss", "")).toEqual(account);
  });

  it("eventually keeps one row of each repeated item", async () => {
    const group = [1, 2].map((seq) => stored({ scopeId: "org_merged", fingerprint: "v1:merged", event: { seq } }));
    for (let time = 0; time < 3; time++) await store.insert(group);
    const rows = (table: string): string => asked(`SELECT count() FROM whence.${table} WHERE scope_id = 'org_merged'`);
    expect(["events", "failure_minutes", "deliveries"].map(rows)).toEqual(["6", "3", "3"]);
    asked("SYSTEM START MERGES");
    for (const table of ["events", "failure_minutes", "deliveries"]) asked(`OPTIMIZE TABLE whence.${table} FINAL`);
    expect(["events", "failure_minutes", "deliveries"].map(rows)).toEqual(["2", "1", "1"]);
    expect(await readBack("org_merged", "v1:merged")).toMatchObject({ found: 2, failing: 2 });
  });

  it("leaves no file behind", () => {
    expect(readdirSync(join(path, "incoming"))).toEqual([]);
  });

  it("rejects and leaves no file behind when the engine refuses", async () => {
    const odd = { ...stored({}), receivedAt: "no time" };
    await expect(store.insert([odd])).rejects.toMatchObject({ code: "WHENCE_ERR_EVENTS_UNAVAILABLE" });
    const unreadable = { ...stored({}), retentionDays: Number.NaN };
    await expect(store.insert([unreadable])).rejects.toMatchObject({ code: "WHENCE_ERR_EVENTS_UNAVAILABLE" });
    expect(readdirSync(join(path, "incoming"))).toEqual([]);
  });
});
