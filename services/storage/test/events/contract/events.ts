import { randomUUID } from "node:crypto";
import { dayMs, levels } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventFilter, EventStore, StoredEvent } from "../../../src/index.ts";
import { stored } from "../../stored-event.ts";
import { at, noon, scope, wide } from "./samples.ts";

/** What every connection of the {@link EventStore} does with single events. `reopen` closes it and opens the same data. */
export function describeEvents(name: string, store: () => EventStore, reopen: () => Promise<void>): void {
  const forScope = (scopeId: string) => store().forScope(scopeId);

  describe(`${name}: insert and read back`, () => {
    it("gives back any event exactly as it was stored", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), async (drawn) => {
          const scopeId = scope();
          const events = drawn.map((stored) => ({ ...stored, scopeId }));
          await store().insert(events);
          const found = await forScope(scopeId).find({
            ...wide,
            from: "2020-01-01T00:00:00Z",
            to: "2040-01-01T00:00:00Z",
          });
          expect(new Map(found.map((stored) => [stored.event.id, stored]))).toEqual(
            new Map(events.map((stored) => [stored.event.id, stored])),
          );
          const [first] = events;
          expect(await forScope(scopeId).event(first?.event.id ?? "")).toEqual(first);
        }),
        { numRuns: 30 },
      );
    });

    it("stores nothing, successfully, when there are no events", async () => {
      await store().insert([]);
    });

    it("stores a batch of 8 MiB, and text with quotes, semicolons and line breaks", async () => {
      const scopeId = scope();
      const odd = "it's; DROP TABLE whence.events; --\n\n\t\\ {x:String} \u0000 \u2028 😀";
      const events = Array.from({ length: 130 }, (_, index) =>
        stored({ scopeId, event: { message: odd + "x".repeat(65_000), timestamp: at(index) }, service: odd }),
      );
      await store().insert(events);
      const [newest] = await forScope(scopeId).find({ ...wide, service: odd, limit: 1 });
      expect(newest).toEqual(events.at(-1));
    });

    it("loses no neighbor of an event with broken surrogates, with deep attributes, or with a clock gone wrong", async () => {
      const scopeId = scope();
      let deep: unknown = "end";
      for (let depth = 0; depth < 200_000; depth++) deep = { in: deep };
      const events = [
        stored({ scopeId, service: "half \ud800 pair", event: { message: "\udc00" } }),
        stored({ scopeId, event: { attributes: { deep } } }),
        stored({ scopeId, event: { timestamp: "0001-01-01T00:00:00Z", message: "past" } }),
        stored({ scopeId, event: { timestamp: "9999-12-31T23:59:59.999Z", message: "future" } }),
        stored({ scopeId, event: { message: "neighbor" } }),
      ];
      await store().insert(events);
      const found = await forScope(scopeId).find({ ...wide });
      expect(new Set(found.map(({ event }) => event.id))).toEqual(new Set(events.map(({ event }) => event.id)));
      expect(found.find(({ event }) => event.message === "past")).toEqual(events[2]);
      expect(found.find(({ event }) => event.message === "\udc00")).toEqual(events[0]);
    });

    it("stores a batch whose events lie 200 days apart", async () => {
      const scopeId = scope();
      await store().insert(
        Array.from({ length: 200 }, (_, day) => {
          const time = new Date(noon + day * dayMs).toISOString();
          return stored({ scopeId, receivedAt: time, event: { timestamp: time } });
        }),
      );
      const found = await forScope(scopeId).find({ ...wide, to: "2027-01-01T00:00:00Z" });
      expect(found.length).toBe(200);
    });
  });

  describe(`${name}: once per id`, () => {
    it("counts and shows an event once however often it is stored, in one batch, in two, and across a restart", async () => {
      const scopeId = scope();
      const fingerprint = "v1:0000000000000001";
      const events = [
        stored({ scopeId, fingerprint }),
        stored({ scopeId, fingerprint, event: { timestamp: at(60_000) } }),
      ];
      await store().insert([...events, ...events]);
      await store().insert(events);
      await reopen();
      await store().insert(events);
      const scoped = forScope(scopeId);
      expect((await scoped.failure(fingerprint))?.events).toBe(2);
      expect(await scoped.failureByMinute({ ...wide, fingerprint })).toEqual([
        { minute: "2026-03-01T12:00:00.000Z", events: 1 },
        { minute: "2026-03-01T12:01:00.000Z", events: 1 },
      ]);
      expect((await scoped.find(wide)).map(({ event }) => event.id)).toEqual(
        events.map(({ event }) => event.id).reverse(),
      );
    });

    it("counts an event once that was sent again and received on another day", async () => {
      const scopeId = scope();
      const fingerprint = "v1:0000000000000002";
      const first = stored({ scopeId, fingerprint });
      await store().insert([first]);
      await store().insert([{ ...first, receivedAt: "2026-03-03T00:00:00.000Z" }]);
      expect((await forScope(scopeId).failure(fingerprint))?.events).toBe(1);
      expect((await forScope(scopeId).find(wide)).length).toBe(1);
    });

    it("loses nothing and counts nothing twice when 20 batches with common events are stored at once", async () => {
      const scopeId = scope();
      const fingerprint = "v1:0000000000000003";
      const events = Array.from({ length: 60 }, (_, index) =>
        stored({ scopeId, fingerprint, event: { timestamp: at(index) } }),
      );
      await Promise.all(
        Array.from({ length: 20 }, (_, batch) => store().insert(events.slice(2 * batch, 2 * batch + 22))),
      );
      expect((await forScope(scopeId).failure(fingerprint))?.events).toBe(60);
      expect((await forScope(scopeId).find(wide)).length).toBe(60);
    });
  });

  describe(`${name}: find`, () => {
    it("gives the newest first, at most `limit`, from included, to excluded", async () => {
      const scopeId = scope();
      const events = [0, 1, 2, 3, 4].map((ms) => stored({ scopeId, event: { timestamp: at(ms), message: `m${ms}` } }));
      await store().insert(events);
      const scoped = forScope(scopeId);
      const messages = async (filter: Partial<EventFilter>): Promise<string[]> =>
        (await scoped.find({ ...wide, ...filter })).map(({ event }) => event.message);
      expect(await messages({})).toEqual(["m4", "m3", "m2", "m1", "m0"]);
      expect(await messages({ limit: 2 })).toEqual(["m4", "m3"]);
      expect(await messages({ from: at(1), to: at(3) })).toEqual(["m2", "m1"]);
      expect(await messages({ from: "2026-03-01T13:00:00.003+01:00" })).toEqual(["m4", "m3"]);
    });

    it("goes on after an event, and skips none of its millisecond", async () => {
      const scopeId = scope();
      await store().insert([0, 1, 1, 1, 2].map((ms) => stored({ scopeId, event: { timestamp: at(ms) } })));
      const all = await forScope(scopeId).find(wide);
      for (const [index, { event }] of all.entries()) {
        const after = { timestamp: event.timestamp, id: event.id };
        expect(await forScope(scopeId).find({ ...wide, after })).toEqual(all.slice(index + 1));
        const newer = await forScope(scopeId).find({ ...wide, after, oldestFirst: true });
        expect(newer).toEqual(all.slice(0, index).reverse());
      }
    });

    it("filters by each field, and by all at once", async () => {
      const scopeId = scope();
      const one = stored({
        scopeId,
        service: "orders",
        env: "STAGING",
        instance: "i1",
        fingerprint: "v1:aaaaaaaaaaaaaaaa",
        event: { type: "log", level: "critical", trace: { trace_id: "t1", span_id: "s1" } },
      });
      const two = stored({ scopeId, event: { type: "heartbeat", level: "info" } });
      await store().insert([one, two]);
      const filters: Partial<EventFilter>[] = [
        { service: "orders" },
        { env: "STAGING" },
        { instance: "i1" },
        { fingerprint: "v1:aaaaaaaaaaaaaaaa" },
        { traceId: "t1" },
        { types: ["log", "exit"] },
        { levels: ["error", "critical"] },
      ];
      for (const filter of [...filters, Object.assign({}, ...filters)]) {
        expect(await forScope(scopeId).find({ ...wide, ...filter })).toEqual([one]);
      }
      expect(await forScope(scopeId).find({ ...wide, types: [] })).toEqual([]);
      expect(await forScope(scopeId).find({ ...wide, service: "orders' OR 1=1 --" })).toEqual([]);
    });

    it("returns null for an unknown or invalid id", async () => {
      expect(await forScope(scope()).event(randomUUID())).toBeNull();
      expect(await forScope(scope()).event("' OR 1=1")).toBeNull();
    });
  });

  describe(`${name}: everything`, () => {
    it("gives each event of every scope once, in chunks, also one that is stored in two places", async () => {
      const scopes = [scope(), scope()];
      const events = scopes.flatMap((scopeId) =>
        Array.from({ length: 700 }, (_, index) =>
          stored({ scopeId, service: `s${index % 2}`, event: { timestamp: at(index % 3), message: "ü\t\\\n" } }),
        ),
      );
      await store().insert(events);
      await store().insert(events.slice(100, 200));
      const [moved] = events;
      if (!moved) throw new Error("no event");
      await store().insert([
        { ...moved, service: "s9" },
        { ...moved, event: { ...moved.event, timestamp: at(-9) } },
      ]);
      const { found, chunks } = await all();
      expect(Math.max(...chunks)).toBeLessThanOrEqual(500);
      const own = found.filter(({ scopeId }) => scopes.includes(scopeId));
      expect(new Set(own.map(({ scopeId, event }) => scopeId + event.id)).size).toBe(own.length);
      const others = own.filter(({ event }) => event.id !== moved.event.id);
      expect(new Map(others.map((stored) => [stored.event.id, stored]))).toEqual(
        new Map(events.slice(1).map((stored) => [stored.event.id, stored])),
      );
      expect(own.length).toBe(1_400);
      expect(new Set(found.map(({ scopeId, event }) => `${scopeId} ${event.id}`)).size).toBe(found.length);
    });

    it("gives all that was stored before it began, each once, while more is being stored", async () => {
      const scopeId = scope();
      const before = Array.from({ length: 1_200 }, (_, index) => stored({ scopeId, event: { timestamp: at(index) } }));
      await store().insert(before);
      const ids: string[] = [];
      for await (const chunk of store().everything()) {
        const own = chunk.filter((stored) => stored.scopeId === scopeId);
        ids.push(...own.map(({ event }) => event.id));
        if (own.length > 0) {
          await store().insert([-1, 601, 2_000].map((ms) => stored({ scopeId, event: { timestamp: at(ms) } })));
        }
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(before.filter(({ event }) => !ids.includes(event.id))).toEqual([]);
    });

    async function all(): Promise<{ found: StoredEvent[]; chunks: number[] }> {
      const found: StoredEvent[] = [];
      const chunks: number[] = [];
      for await (const chunk of store().everything()) {
        found.push(...chunk);
        chunks.push(chunk.length);
      }
      return { found, chunks };
    }
  });

  describe(`${name}: scopes`, () => {
    it("shows a scope nothing of another, even by the other's own ids and fingerprints", async () => {
      const fingerprint = "v1:dddddddddddddddd";
      const mine = scope();
      const theirs = scope();
      const own = stored({ scopeId: mine, fingerprint });
      const foreign = stored({ scopeId: theirs, fingerprint, event: { timestamp: at(1) } });
      await store().insert([own, foreign]);
      const scoped = forScope(mine);
      expect(await scoped.find(wide)).toEqual([own]);
      expect(await scoped.event(foreign.event.id)).toBeNull();
      expect((await scoped.failure(fingerprint))?.lastSeen).toBe(at(0));
      expect(await scoped.failureByMinute({ ...wide, fingerprint })).toMatchObject([{ events: 1 }]);
      expect((await scoped.deliveries({ since: wide.from, limit: 10 })).length).toBe(1);
      expect(await forScope(scope()).find(wide)).toEqual([]);
    });
  });
}

/** Strings of any UTF-16 units, halves of pairs included. */
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 30,
});
const time = fc
  .date({ min: new Date("2026-02-20"), max: new Date("2026-03-02"), noInvalidDate: true })
  .map((date) => date.toISOString());

const anyEvent: fc.Arbitrary<StoredEvent> = fc
  .record({
    event: fc.record({
      id: fc.uuid(),
      seq: fc.integer({ min: 1 }),
      type: fc.constantFrom("exception" as const, "log" as const, "heartbeat" as const, "exit" as const),
      timestamp: time,
      level: fc.constantFrom(...levels),
      message: text,
      mechanism: fc.record({ type: text, handled: fc.boolean() }),
      attributes: fc.dictionary(text, fc.jsonValue()),
      trace: fc.record({ trace_id: text, span_id: text }),
      request: fc.record({ method: text, path: text, route: text, headers: fc.dictionary(text, text) }),
    }),
    service: text,
    env: text,
    release: text,
    instance: text,
    fingerprint: text,
  })
  // What JSON cannot tell apart (-0, a key __proto__) never arrives as such.
  .map(({ event, ...rest }) => JSON.parse(JSON.stringify(stored({ ...rest, event }))));
