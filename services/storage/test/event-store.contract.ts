import { randomUUID } from "node:crypto";
import { dayMs, dropReasons, levels } from "@whence/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventFilter, EventStore, StoredEvent } from "../src/index.ts";
import { modelAccount, modelMissing } from "./delivery-model.ts";
import { stored, storedLosses } from "./stored-event.ts";
import { describeSurroundings } from "./surroundings.contract.ts";

const noon = Date.parse("2026-03-01T12:00:00.000Z");
const wide = { from: "2026-02-01T00:00:00.000Z", to: "2026-04-01T00:00:00.000Z", limit: 1_000 } satisfies EventFilter;

/** What every connection of the {@link EventStore} does. `open` opens the same data each time, kept for years. */
export function describeEventStore(name: string, open: () => Promise<EventStore>): void {
  let store: EventStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  describeSurroundings(name, () => store);

  describe(`${name}: insert and read back`, () => {
    it("gives back any event exactly as it was stored", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), async (drawn) => {
          const scopeId = scope();
          const events = drawn.map((stored) => ({ ...stored, scopeId }));
          await store.insert(events);
          const found = await store
            .forScope(scopeId)
            .find({ ...wide, from: "2020-01-01T00:00:00Z", to: "2040-01-01T00:00:00Z" });
          expect(new Map(found.map((stored) => [stored.event.id, stored]))).toEqual(
            new Map(events.map((stored) => [stored.event.id, stored])),
          );
          const [first] = events;
          expect(await store.forScope(scopeId).event(first?.event.id ?? "")).toEqual(first);
        }),
        { numRuns: 30 },
      );
    });

    it("stores nothing, successfully, when there are no events", async () => {
      await store.insert([]);
    });

    it("stores a batch of 8 MiB, and text with quotes, semicolons and line breaks", async () => {
      const scopeId = scope();
      const odd = "it's; DROP TABLE whence.events; --\n\n\t\\ {x:String} \u0000 \u2028 😀";
      const events = Array.from({ length: 130 }, (_, index) =>
        stored({ scopeId, event: { message: odd + "x".repeat(65_000), timestamp: at(index) }, service: odd }),
      );
      await store.insert(events);
      const [newest] = await store.forScope(scopeId).find({ ...wide, service: odd, limit: 1 });
      expect(newest).toEqual(events.at(-1));
    });

    it("loses no neighbour of an event with broken surrogates, with deep attributes, or with a clock gone wrong", async () => {
      const scopeId = scope();
      let deep: unknown = "end";
      for (let depth = 0; depth < 200_000; depth++) deep = { in: deep };
      const events = [
        stored({ scopeId, service: "half \ud800 pair", event: { message: "\udc00" } }),
        stored({ scopeId, event: { attributes: { deep } } }),
        stored({ scopeId, event: { timestamp: "0001-01-01T00:00:00Z", message: "past" } }),
        stored({ scopeId, event: { timestamp: "9999-12-31T23:59:59.999Z", message: "future" } }),
        stored({ scopeId, event: { message: "neighbour" } }),
      ];
      await store.insert(events);
      const found = await store.forScope(scopeId).find({ ...wide });
      expect(new Set(found.map(({ event }) => event.id))).toEqual(new Set(events.map(({ event }) => event.id)));
      expect(found.find(({ event }) => event.message === "past")).toEqual(events[2]);
      expect(found.find(({ event }) => event.message === "\udc00")).toEqual(events[0]);
    });

    it("stores a batch whose events lie 200 days apart", async () => {
      const scopeId = scope();
      await store.insert(
        Array.from({ length: 200 }, (_, day) => {
          const time = new Date(noon + day * dayMs).toISOString();
          return stored({ scopeId, receivedAt: time, event: { timestamp: time } });
        }),
      );
      const found = await store.forScope(scopeId).find({ ...wide, to: "2027-01-01T00:00:00Z" });
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
      await store.insert([...events, ...events]);
      await store.insert(events);
      await store.close();
      store = await open();
      await store.insert(events);
      const scoped = store.forScope(scopeId);
      expect((await scoped.failure(fingerprint))?.events).toBe(2);
      expect(await scoped.failureByMinute(fingerprint, wide.from, wide.to)).toEqual([
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
      await store.insert([first]);
      await store.insert([{ ...first, receivedAt: "2026-03-03T00:00:00.000Z" }]);
      expect((await store.forScope(scopeId).failure(fingerprint))?.events).toBe(1);
      expect((await store.forScope(scopeId).find(wide)).length).toBe(1);
    });

    it("loses nothing and counts nothing twice when 20 batches with common events are stored at once", async () => {
      const scopeId = scope();
      const fingerprint = "v1:0000000000000003";
      const events = Array.from({ length: 60 }, (_, index) =>
        stored({ scopeId, fingerprint, event: { timestamp: at(index) } }),
      );
      await Promise.all(
        Array.from({ length: 20 }, (_, batch) => store.insert(events.slice(2 * batch, 2 * batch + 22))),
      );
      expect((await store.forScope(scopeId).failure(fingerprint))?.events).toBe(60);
      expect((await store.forScope(scopeId).find(wide)).length).toBe(60);
    });
  });

  describe(`${name}: find`, () => {
    it("gives the newest first, at most `limit`, from included, to excluded", async () => {
      const scopeId = scope();
      const events = [0, 1, 2, 3, 4].map((ms) => stored({ scopeId, event: { timestamp: at(ms), message: `m${ms}` } }));
      await store.insert(events);
      const scoped = store.forScope(scopeId);
      const messages = async (filter: Partial<EventFilter>): Promise<string[]> =>
        (await scoped.find({ ...wide, ...filter })).map(({ event }) => event.message);
      expect(await messages({})).toEqual(["m4", "m3", "m2", "m1", "m0"]);
      expect(await messages({ limit: 2 })).toEqual(["m4", "m3"]);
      expect(await messages({ from: at(1), to: at(3) })).toEqual(["m2", "m1"]);
      expect(await messages({ from: "2026-03-01T13:00:00.003+01:00" })).toEqual(["m4", "m3"]);
    });

    it("filters by each field, and by all at once", async () => {
      const scopeId = scope();
      const one = stored({
        ...{ scopeId, service: "orders", instance: "i1", fingerprint: "v1:aaaaaaaaaaaaaaaa" },
        event: { type: "log", level: "critical", trace: { trace_id: "t1", span_id: "s1" } },
      });
      const two = stored({ scopeId, event: { type: "heartbeat", level: "info" } });
      await store.insert([one, two]);
      const filters: Partial<EventFilter>[] = [
        { service: "orders" },
        { instance: "i1" },
        { fingerprint: "v1:aaaaaaaaaaaaaaaa" },
        { traceId: "t1" },
        { types: ["log", "exit"] },
        { levels: ["error", "critical"] },
      ];
      for (const filter of [...filters, Object.assign({}, ...filters)]) {
        expect(await store.forScope(scopeId).find({ ...wide, ...filter })).toEqual([one]);
      }
      expect(await store.forScope(scopeId).find({ ...wide, types: [] })).toEqual([]);
      expect(await store.forScope(scopeId).find({ ...wide, service: "orders' OR 1=1 --" })).toEqual([]);
    });

    it("answers null for an id that is not there, or is no id at all", async () => {
      expect(await store.forScope(scope()).event(randomUUID())).toBeNull();
      expect(await store.forScope(scope()).event("' OR 1=1")).toBeNull();
    });
  });

  describe(`${name}: failures`, () => {
    const fingerprint = "v1:bbbbbbbbbbbbbbbb";
    const receivedAt = at(180_000);

    it("says how many, since when, until when and where", async () => {
      const scopeId = scope();
      const request = { method: "GET", path: "/orders/7", route: "/orders/:id", headers: {} };
      await store.insert([
        stored({
          ...{ scopeId, fingerprint, receivedAt, service: "orders", release: "1.1" },
          event: { timestamp: at(61_500), request },
        }),
        stored({ scopeId, fingerprint, service: "storefront", release: "", event: { timestamp: at(-5) } }),
        stored({ scopeId, fingerprint, service: "orders", release: "1.0", event: { timestamp: at(500), request } }),
        stored({ scopeId, fingerprint: "", service: "other" }),
      ]);
      expect(await store.forScope(scopeId).failure(fingerprint)).toEqual({
        ...{ events: 3, firstSeen: at(-5), lastSeen: at(61_500), services: ["orders", "storefront"] },
        ...{ routes: ["/orders/:id"], hosts: ["host-1"], releases: ["1.0", "1.1"] },
      });
    });

    it("counts by minute, the oldest first, the minute of `from` included, the one of `to` not", async () => {
      const scopeId = scope();
      const times = [-1, 0, 59_999, 60_000, 180_000];
      await store.insert(times.map((ms) => stored({ scopeId, fingerprint, receivedAt, event: { timestamp: at(ms) } })));
      const counts = await store.forScope(scopeId).failureByMinute(fingerprint, at(0), at(180_000));
      expect(counts).toEqual([
        { minute: at(0), events: 2 },
        { minute: at(60_000), events: 1 },
      ]);
      const all = await store.forScope(scopeId).failureByMinute(fingerprint, wide.from, wide.to);
      expect(all.map(({ events }) => events)).toEqual([1, 2, 1, 1]);
    });

    it("names at most 100 of each", async () => {
      const scopeId = scope();
      const names = Array.from({ length: 101 }, (_, index) => `service-${index}`);
      await store.insert(names.slice(0, 100).map((service) => stored({ scopeId, fingerprint, service })));
      expect((await store.forScope(scopeId).failure(fingerprint))?.services.length).toBe(100);
      await store.insert([stored({ scopeId, fingerprint, service: "service-100" })]);
      const totals = await store.forScope(scopeId).failure(fingerprint);
      expect(totals?.services.length).toBe(100);
      expect(totals?.events).toBe(101);
    });

    it("returns null for an unknown failure", async () => {
      expect(await store.forScope(scope()).failure("v1:cccccccccccccccc")).toBeNull();
      expect(await store.forScope(scope()).failureByMinute("v1:cccccccccccccccc", wide.from, wide.to)).toEqual([]);
    });
  });

  describe(`${name}: deliveries`, () => {
    const since = "2026-01-01T00:00:00Z";
    const noMissing = { missing: [], missingEvents: 0 };

    it("says where a failure happened, each event once, and when releases began", async () => {
      const [scopeId, fingerprint] = [scope(), "v1:dddddddddddddddd"];
      const events = [
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(0) } }),
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(1) } }),
        stored({ scopeId, fingerprint, release: "", event: { timestamp: at(2) } }),
        stored({ scopeId, release: "1", event: { timestamp: at(-5), type: "heartbeat", level: "info" } }),
        stored({ scopeId, service: "other", release: "3", event: { timestamp: at(0) } }),
      ];
      await store.insert(events);
      await store.insert(events.slice(0, 1));
      const scoped = store.forScope(scopeId);
      expect(await scoped.failurePlaces(fingerprint, at(0), at(1_000))).toEqual({
        routes: [],
        hosts: [{ name: "host-1", events: 3 }],
        releases: [{ name: "2", events: 2 }],
      });
      expect((await scoped.failurePlaces(fingerprint, at(1), at(2))).releases).toEqual([{ name: "2", events: 1 }]);
      expect(await scoped.firstReleases("shop", at(-10), at(1_000))).toEqual([
        { release: "1", firstSeen: at(-5) },
        { release: "2", firstSeen: at(0) },
      ]);
      expect(await store.forScope(scope()).firstReleases("shop", at(-10), at(1_000))).toEqual([]);
    });

    it("finds the first event of each failure of a release, that of one failure before the others", async () => {
      const scopeId = scope();
      const failing = (fingerprint: string, second: number, rest: object = {}) =>
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(second) }, ...rest });
      const events = [
        ...[failing("v1:b", 1), failing("v1:b", 2), failing("v1:c", 3), failing("v1:a", 5), failing("v1:a", 4)],
        ...[failing("", 0), failing("v1:d", 0, { release: "1" }), failing("v1:e", 0, { service: "other" })],
      ];
      await store.insert(events);
      await store.insert(events.slice(0, 1));
      const first = { service: "shop", release: "2", fingerprint: "v1:a", from: at(-10), to: at(1_000), limit: 10 };
      const found = async (changes: object = {}) =>
        (await store.forScope(scopeId).firstOfFailures({ ...first, ...changes })).map(({ fingerprint, event }) => [
          fingerprint,
          event.timestamp,
        ]);
      expect(await found()).toEqual([
        ["v1:a", at(4)],
        ["v1:b", at(1)],
        ["v1:c", at(3)],
      ]);
      expect(await found({ limit: 2 })).toHaveLength(2);
      expect(await found({ from: at(2), to: at(4) })).toEqual([
        ["v1:b", at(2)],
        ["v1:c", at(3)],
      ]);
      expect(await store.forScope(scope()).firstOfFailures(first)).toEqual([]);
    });

    it("accounts for what a process sent: all of it, and its end", async () => {
      const scopeId = scope();
      const at = { env: "PROD", host: { ...stored({}).host, name: "host-9" }, instance: "i-1", service: "orders" };
      const sent = [3, 1, 2].map((seq) => stored({ scopeId, ...at, event: { seq } }));
      await store.insert(sent);
      const exit = stored({ scopeId, ...at, receivedAt: "2026-03-01T12:05:00.000Z", event: { seq: 4, type: "exit" } });
      await store.insert([exit]);
      expect(await store.forScope(scopeId).deliveries({ since, limit: 10 })).toEqual([
        {
          ...{ instance: "i-1", service: "orders", env: "PROD", host: "host-9" },
          ...{ firstReceivedAt: "2026-03-01T12:00:00.500Z", lastReceivedAt: "2026-03-01T12:05:00.000Z" },
          ...{ received: 4, lastSeq: 4, ended: true, ...noMissing },
        },
      ]);
    });

    it("names what is missing, by what was reported, and takes what came although it was reported lost", async () => {
      const scopeId = scope();
      const dropped = [
        { from_seq: 2, to_seq: 5, reason: "queue_full" as const },
        { from_seq: 9, to_seq: 12, reason: "too_large" as const },
      ];
      const [first, ...others] = [1, 4, 7].map((seq) => stored({ scopeId, event: { seq } }));
      await store.insert([{ ...(first ?? stored({})), dropped }, ...others]);
      const [account] = await store.forScope(scopeId).deliveries({ since, limit: 10 });
      expect(account).toMatchObject({ received: 3, lastSeq: 12, ended: false, missingEvents: 9 });
      expect(account?.missing).toEqual([
        { fromSeq: 2, toSeq: 3, reason: "queue_full" },
        { fromSeq: 5, toSeq: 5, reason: "queue_full" },
        { fromSeq: 6, toSeq: 6, reason: "unaccounted" },
        { fromSeq: 8, toSeq: 8, reason: "unaccounted" },
        { fromSeq: 9, toSeq: 12, reason: "too_large" },
      ]);
    });

    it("keeps losses that came without an event, once however often they are reported", async () => {
      const scopeId = scope();
      const losses = storedLosses({ scopeId, dropped: [{ from_seq: 1, to_seq: 7, reason: "rate_limited" }] });
      await store.insertLosses([]);
      await store.insertLosses([losses, losses]);
      await store.insertLosses([losses]);
      const [account, ...others] = await store.forScope(scopeId).deliveries({ since, limit: 10 });
      expect(others).toEqual([]);
      expect(account).toMatchObject({ received: 0, lastSeq: 7, missingEvents: 7, lastReceivedAt: losses.receivedAt });
      expect(account?.missing).toEqual([{ fromSeq: 1, toSeq: 7, reason: "rate_limited" }]);
    });

    it("names 1,000 missing ranges and no more, and counts them all", async () => {
      for (const [events, ranges] of [
        [1_001, 1_000],
        [1_002, 1_000],
        [1_000, 999],
      ] as const) {
        const scopeId = scope();
        await store.insert(
          Array.from({ length: events }, (_, index) => stored({ scopeId, event: { seq: 2 * index + 1 } })),
        );
        const [account] = await store.forScope(scopeId).deliveries({ since, limit: 1 });
        expect(account?.missing.length).toBe(ranges);
        expect(account?.missingEvents).toBe(events - 1);
      }
    });

    it("takes the largest numbers and ranges there are", async () => {
      const scopeId = scope();
      const last = Number.MAX_SAFE_INTEGER;
      const dropped = [{ from_seq: 2, to_seq: last - 1, reason: "queue_full" as const }];
      await store.insert([stored({ scopeId, dropped }), stored({ scopeId, event: { seq: last } })]);
      const [account] = await store.forScope(scopeId).deliveries({ since, limit: 1 });
      expect(account).toMatchObject({ lastSeq: last, received: 2, missingEvents: last - 2 });
      expect(account?.missing).toEqual([{ fromSeq: 2, toSeq: last - 1, reason: "queue_full" }]);
    });

    it("lists processes seen since then, the latest first, at most `limit`, by service and instance", async () => {
      const scopeId = scope();
      const heard = [0, 1, 2, 3].map((ms) =>
        stored({ scopeId, receivedAt: at(ms), instance: `i${ms}`, service: `s${ms % 2}` }),
      );
      await store.insert([...heard, stored({ scopeId: scope(), receivedAt: at(9), instance: "i0" })]);
      const instances = async (filter: object): Promise<string[]> =>
        (await store.forScope(scopeId).deliveries({ since, limit: 10, ...filter })).map(({ instance }) => instance);
      expect(await instances({})).toEqual(["i3", "i2", "i1", "i0"]);
      expect(await instances({ limit: 2 })).toEqual(["i3", "i2"]);
      expect(await instances({ since: at(2) })).toEqual(["i3", "i2"]);
      expect(await instances({ service: "s0" })).toEqual(["i2", "i0"]);
      expect(await instances({ instance: "i1" })).toEqual(["i1"]);
      expect(await instances({ instance: "i1", service: "s0" })).toEqual([]);
      await store.insert([stored({ scopeId, receivedAt: at(4), instance: "i0", service: "s0", event: { seq: 2 } })]);
      const [newest] = await store.forScope(scopeId).deliveries({ since: at(4), limit: 10 });
      expect(newest).toMatchObject({ instance: "i0", received: 2, firstReceivedAt: at(0), ...noMissing });
    });

    it("agrees with a plain model, whatever comes in whatever order, once or again", async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(anyDeliveries, async (drawn) => {
          run += 1;
          // Later than the processes of any other test.
          const since = new Date(Date.parse("2060-01-01T00:00:00Z") + run * 1_000).toISOString();
          const scopeId = scope();
          const own = { scopeId, receivedAt: since };
          const events = drawn.events.map(({ instance, dropped, ...event }) =>
            stored({ ...own, instance, ...(dropped && { dropped }), event: { ...event, timestamp: since } }),
          );
          const losses = drawn.losses.map((report) => storedLosses({ ...own, ...report }));
          const cut = Math.floor(events.length / 2);
          await store.insert(events.slice(0, cut));
          await store.insertLosses(losses);
          await store.insert(events.slice(drawn.again ? 0 : cut));
          if (drawn.again) await store.insertLosses(losses.slice(0, 1));
          const instances = new Set([...events, ...losses].map(({ instance }) => instance));
          const of = <Row extends { instance: string }>(rows: readonly Row[], instance: string): Row[] =>
            rows.filter((row) => row.instance === instance);
          const model = new Map(
            [...instances].map((instance) => [instance, modelAccount(of(events, instance), of(losses, instance))]),
          );
          const accounts = await store.forScope(scopeId).deliveries({ since, limit: 10 });
          expect(new Set(accounts.map(({ instance }) => instance))).toEqual(instances);
          for (const account of accounts) expect(account).toMatchObject(model.get(account.instance) ?? {});
          expect(await store.missing(since)).toEqual(modelMissing([...model.values()]));
        }),
        { numRuns: 40 },
      );
    });
  });

  describe(`${name}: services`, () => {
    it("says for each service when it was last seen, what runs, and how often it failed by hour", async () => {
      const [scopeId, hour] = [scope(), 3_600_000];
      const said = (
        instance: string,
        ms: number,
        more: Partial<StoredEvent> & { fails?: boolean; ends?: boolean } = {},
      ) => {
        const { fails = false, ends = false, ...rest } = more;
        const type = ends ? "exit" : fails ? "exception" : "heartbeat";
        const attributes = { requests: 120, failed_requests: 3, spool_folder: `/tmp/${instance}` };
        const event = { timestamp: at(ms), type, attributes } as const;
        return stored({ scopeId, instance, receivedAt: at(ms), fingerprint: fails ? "v1:1" : "", ...rest, event });
      };
      const twice = said("b", 30, { fails: true });
      const beat = said("b", 20, { release: "2.0" });
      await store.insert([
        said("a", 0, { release: "1.0" }),
        said("a", 10, { release: "1.0", ends: true }),
        beat,
        twice,
        said("b", hour, { release: "2.0", fails: true }),
        said("c", -1, { release: "0.9" }),
        said("d", 5, { service: "billing", env: "STAGING", release: "" }),
      ]);
      await store.insert([twice, beat]);
      const filter = { since: at(0), aliveSince: at(20), limit: 10 };
      expect(await store.forScope(scopeId).services(filter)).toEqual([
        {
          ...{ service: "shop", env: "PROD", release: "2.0", lastSeenAt: at(hour), processes: 1 },
          failures: [
            { hour: at(0), events: 1 },
            { hour: at(hour), events: 1 },
          ],
          ...{ answers: [{ at: at(0), requests: 240, failed: 6 }], spoolFolder: "/tmp/b", spoolOff: "" },
        },
        {
          ...{ service: "billing", env: "STAGING", release: "", lastSeenAt: at(5), processes: 0, failures: [] },
          ...{ answers: [{ at: at(0), requests: 120, failed: 3 }], spoolFolder: "/tmp/d", spoolOff: "" },
        },
      ]);
      expect(await store.forScope(scopeId).services({ ...filter, limit: 1 })).toHaveLength(1);
      expect(await store.forScope(scopeId).services({ ...filter, since: at(hour + 1) })).toEqual([]);
      expect(await store.forScope(scope()).services(filter)).toEqual([]);
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
      await store.insert(events);
      await store.insert(events.slice(100, 200));
      const [moved] = events;
      if (!moved) throw new Error("no event");
      await store.insert([
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
      await store.insert(before);
      const ids: string[] = [];
      for await (const chunk of store.everything()) {
        const own = chunk.filter((stored) => stored.scopeId === scopeId);
        ids.push(...own.map(({ event }) => event.id));
        if (own.length > 0) {
          await store.insert([-1, 601, 2_000].map((ms) => stored({ scopeId, event: { timestamp: at(ms) } })));
        }
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(before.filter(({ event }) => !ids.includes(event.id))).toEqual([]);
    });

    async function all(): Promise<{ found: StoredEvent[]; chunks: number[] }> {
      const [found, chunks]: [StoredEvent[], number[]] = [[], []];
      for await (const chunk of store.everything()) {
        found.push(...chunk);
        chunks.push(chunk.length);
      }
      return { found, chunks };
    }
  });

  describe(`${name}: check`, () => {
    it("resolves while the store answers", async () => {
      await store.check();
    });
  });

  describe(`${name}: scopes`, () => {
    it("shows a scope nothing of another, even by the other's own ids and fingerprints", async () => {
      const fingerprint = "v1:dddddddddddddddd";
      const [mine, theirs] = [scope(), scope()];
      const own = stored({ scopeId: mine, fingerprint });
      const foreign = stored({ scopeId: theirs, fingerprint, event: { timestamp: at(1) } });
      await store.insert([own, foreign]);
      const scoped = store.forScope(mine);
      expect(await scoped.find(wide)).toEqual([own]);
      expect(await scoped.event(foreign.event.id)).toBeNull();
      expect((await scoped.failure(fingerprint))?.lastSeen).toBe(at(0));
      expect(await scoped.failureByMinute(fingerprint, wide.from, wide.to)).toMatchObject([{ events: 1 }]);
      expect((await scoped.deliveries({ since: wide.from, limit: 10 })).length).toBe(1);
      expect(await store.forScope(scope()).find(wide)).toEqual([]);
    });
  });
}

function scope(): string {
  return `org_${randomUUID()}`;
}

function at(ms: number): string {
  return new Date(noon + ms).toISOString();
}

const anySeq = fc.integer({ min: 1, max: 30 });
const anyDropped = fc.array(
  fc
    .tuple(anySeq, fc.integer({ min: 0, max: 9 }), fc.constantFrom(...dropReasons))
    .map(([from_seq, length, reason]) => ({ from_seq, to_seq: from_seq + length, reason })),
  { minLength: 1, maxLength: 4 },
);
const anyInstance = fc.constantFrom("i1", "i2");
const anyDeliveries = fc.record({
  events: fc.array(
    fc.record({
      ...{ instance: anyInstance, id: fc.uuid(), seq: anySeq },
      type: fc.constantFrom("log" as const, "exit" as const, "exception" as const),
      dropped: fc.option(anyDropped, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 25 },
  ),
  losses: fc.array(fc.record({ instance: anyInstance, dropped: anyDropped }), { maxLength: 3 }),
  again: fc.boolean(),
});

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
