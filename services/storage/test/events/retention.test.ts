import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs, minuteMs } from "@whence/protocol";
import { Session } from "chdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import type { EventStore, StoredEvent, StoredMeasure, StoredReading } from "../../src/index.ts";
import { stored, storedSpan } from "../stored-event.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
let store: EventStore;
beforeAll(async () => {
  store = await openEmbeddedEventStore({ path, retentionDays: 30 });
});
afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

const fingerprint = "v1:kept";

function ago(ageMs: number): string {
  return new Date(Date.now() - ageMs).toISOString();
}

function aged(scopeId: string, ageMs: number, retentionDays?: number): StoredEvent {
  return stored({
    scopeId,
    fingerprint,
    instance: `i-${ageMs}`,
    receivedAt: ago(ageMs),
    ...(retentionDays !== undefined && { retentionDays }),
    event: { timestamp: ago(ageMs) },
  });
}

/** Has the engine do at once what it does when it merges. */
function merge(): void {
  const session = new Session(path);
  for (const table of ["events", "failure_minutes", "deliveries", "vitals", "spans", "measures"])
    session.query(`OPTIMIZE TABLE whence.${table} FINAL`);
  session.close();
}

/** Mutations run in the background. */
async function mutated(): Promise<void> {
  const session = new Session(path);
  await expect
    .poll(() => session.query("SELECT count() FROM system.mutations WHERE NOT is_done", "TSVRaw").trim())
    .toBe("0");
  session.close();
}

async function kept(scopeId: string): Promise<{ events: Set<string>; counted: number; processes: number }> {
  const scoped = store.forScope(scopeId);
  const found = await scoped.find({ from: ago(100 * 365 * dayMs), to: ago(-dayMs), limit: 100 });
  return {
    events: new Set(found.map(({ event }) => event.id)),
    counted: (await scoped.failure(fingerprint))?.events ?? 0,
    processes: (await scoped.deliveries({ since: ago(100 * 365 * dayMs), limit: 100 })).length,
  };
}

function exactly(...events: readonly StoredEvent[]): Awaited<ReturnType<typeof kept>> {
  return { events: new Set(events.map(({ event }) => event.id)), counted: events.length, processes: events.length };
}

/** The event by each way in which it is read: of a backup, of a search, by its id. */
async function handedOut({ scopeId, event }: StoredEvent): Promise<unknown[]> {
  const backedUp: StoredEvent[] = [];
  for await (const chunk of store.everything()) backedUp.push(...chunk.filter((stored) => stored.scopeId === scopeId));
  const found = await store.forScope(scopeId).find({ from: ago(7 * dayMs), to: ago(0), limit: 10 });
  return [...backedUp, ...found, await store.forScope(scopeId).event(event.id)];
}

describe("retention", () => {
  it("keeps each event for its own retention, or else for the service's", async () => {
    const young = aged("org_kept", 7 * dayMs - minuteMs, 7);
    const served = aged("org_kept", 30 * dayMs - 2 * minuteMs);
    const long = aged("org_kept", 80 * dayMs, 90);
    const gone = [
      aged("org_kept", 7 * dayMs + 3 * minuteMs, 7),
      aged("org_kept", 30 * dayMs + 4 * minuteMs),
      aged("org_kept", 90 * dayMs + 5 * minuteMs, 90),
    ];
    await store.insert([young, served, long, ...gone]);
    merge();
    expect(await kept("org_kept")).toEqual(exactly(young, served, long));
  });

  it("keeps an event forever when its retention ends after the engine's latest time", async () => {
    const events = [1_000_000, 4_294_967_295, 9_000_000_000].map((days, index) =>
      aged("org_ever", 400 * dayMs + index * minuteMs, days),
    );
    await store.insert(events);
    merge();
    expect(await kept("org_ever")).toEqual(exactly(...events));
  });

  it("keeps a sum as long as any of its events", async () => {
    const at = ago(20 * dayMs);
    const one = { ...aged("org_sum", 0, 7), receivedAt: at };
    const other = { ...aged("org_sum", 0), receivedAt: at };
    const events = [one, other].map((stored) => ({ ...stored, event: { ...stored.event, timestamp: at } }));
    await store.insert(events);
    merge();
    expect(await kept("org_sum")).toMatchObject({ events: new Set([other.event.id]), counted: 2 });
  });

  it("applies a changed retention to stored events, of that scope only", async () => {
    const [old, young] = [aged("org_less", 8 * dayMs), aged("org_less", 6 * dayMs, 60)];
    const foreign = aged("org_other", 8 * dayMs);
    await store.insert([old, young, foreign]);
    await store.forScope("org_less").retain(7);
    await mutated();
    merge();
    expect(await kept("org_less")).toEqual(exactly(young));
    expect(await kept("org_other")).toEqual(exactly(foreign));
  });

  it("keeps readings of processes for at most 2 days, even if events are kept longer", async () => {
    const reading = (instance: string, ageMs: number): StoredReading => ({
      ...{
        scopeId: "org_read",
        service: "shop",
        env: "PROD",
        release: "1.0",
        instance,
        host: "web-3",
        runtime: "go 1",
      },
      ...{ rssBytes: 0, heapUsedBytes: 100, heapLimitBytes: 200, eventLoopDelayMs: 0 },
      ...{ cpu: 0, pool: null, at: ago(ageMs), receivedAt: ago(ageMs), retentionDays: 30 },
    });
    const [young, old] = [2 * dayMs - 5 * minuteMs, 2 * dayMs + 5 * minuteMs];
    await store.insertReadings([reading("young", young), reading("young", young - minuteMs)]);
    await store.insertReadings([reading("old", old), reading("old", old + minuteMs)]);
    await store.forScope("org_read").retain(365);
    await mutated();
    merge();
    const span = { env: "PROD", from: ago(4 * dayMs), to: ago(0) };
    const found = await store.forScope("org_read").vitals({ ...span, services: ["shop"], limit: 9 });
    expect(found.map(({ instance }) => instance)).toEqual(["young"]);
    await store.forScope("org_read").retain(1);
    await mutated();
    merge();
    expect(await store.forScope("org_read").vitals({ ...span, services: ["shop"], limit: 9 })).toEqual([]);
  });

  it("keeps spans and what metrics count for at most 2 days, even if events are kept longer", async () => {
    const scopeId = "org_traced";
    const times = (ageMs: number) => ({ at: ago(ageMs), receivedAt: ago(ageMs), retentionDays: 30 });
    const span = (name: string, ageMs: number) => storedSpan({ ...times(ageMs), scopeId, spanId: name, name });
    const measure = (name: string, ageMs: number): StoredMeasure => ({
      ...{ scopeId, service: "shop", env: "PROD", release: "1.0", instance: "a", host: "web-3", kind: "route", name },
      ...{ series: "200", failed: false, counting: "delta", since: null, value: 1, ...times(ageMs) },
    });
    const [young, old] = [2 * dayMs - 5 * minuteMs, 2 * dayMs + 5 * minuteMs];
    // In parts of their own, since the engine drops expired rows when it merges.
    for (const [name, ageMs] of [
      ["young", young],
      ["old", old],
    ] as const) {
      await store.insertSpans([span(name, ageMs)]);
      await store.insertMeasures([measure(name, ageMs)]);
    }
    const names = async (): Promise<object> => {
      const range = { env: "PROD", from: ago(4 * dayMs), to: ago(0) };
      const scoped = store.forScope(scopeId);
      const spans = await scoped.spans({ ...range, limit: 9 });
      const measures = await scoped.measuredRates({ ...range, services: ["shop"], limit: 9 });
      return { spans: spans.map(({ name }) => name), measures: measures.map(({ name }) => name) };
    };
    await store.forScope(scopeId).retain(365);
    await mutated();
    merge();
    expect(await names()).toEqual({ spans: ["young"], measures: ["young"] });
    await store.forScope(scopeId).retain(1);
    await mutated();
    merge();
    expect(await names()).toEqual({ spans: [], measures: [] });
  });

  it("keeps events longer when asked to, and new events with their own retention", async () => {
    const old = aged("org_more", 20 * dayMs, 25);
    await store.insert([old]);
    await store.forScope("org_more").retain(21);
    await store.forScope("org_more").retain(365);
    await mutated();
    const late = aged("org_more", 40 * dayMs, 50);
    const gone = aged("org_more", 61 * dayMs, 60);
    await store.insert([late, gone]);
    merge();
    expect(await kept("org_more")).toEqual(exactly(old, late));
  });

  it.each([
    { said: "10 days", was: 10, days: 365 },
    { said: "365 days", was: 365, days: 10 },
    { said: "nothing", was: undefined, days: 10 },
  ])("exports an event whose retention said $said with its current $days days", async ({ was, days }) => {
    const scopeId = `org_out_${was}_${days}`;
    const event = aged(scopeId, 2 * dayMs, was);
    await store.insert([event]);
    expect(await handedOut(event)).toEqual([event, event, event]);
    await store.forScope(scopeId).retain(days);
    await mutated();
    const now = { ...event, retentionDays: days };
    expect(await handedOut(event)).toEqual([now, now, now]);
  });
});
