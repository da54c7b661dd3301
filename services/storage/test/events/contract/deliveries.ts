import { dropReasons } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../src/index.ts";
import { modelAccount, modelMissing } from "../../delivery-model.ts";
import { stored, storedLosses } from "../../stored-event.ts";
import { at, scope } from "./samples.ts";

/** What every connection of the {@link EventStore} says of what processes sent, and of what never came. */
export function describeDeliveries(name: string, store: () => EventStore): void {
  const forScope = (scopeId: string) => store().forScope(scopeId);

  describe(`${name}: deliveries`, () => {
    const since = "2026-01-01T00:00:00Z";
    const noMissing = { missing: [], missingEvents: 0 };

    it("accounts for what a process sent: all of it, and its end", async () => {
      const scopeId = scope();
      const origin = { env: "PROD", host: { ...stored({}).host, name: "host-9" }, instance: "i-1", service: "orders" };
      const sent = [3, 1, 2].map((seq) => stored({ scopeId, ...origin, event: { seq } }));
      await store().insert(sent);
      const exit = stored({
        scopeId,
        ...origin,
        receivedAt: "2026-03-01T12:05:00.000Z",
        event: { seq: 4, type: "exit" },
      });
      await store().insert([exit]);
      expect(await forScope(scopeId).deliveries({ since, limit: 10 })).toEqual([
        {
          instance: "i-1",
          service: "orders",
          env: "PROD",
          host: "host-9",
          firstReceivedAt: "2026-03-01T12:00:00.500Z",
          lastReceivedAt: "2026-03-01T12:05:00.000Z",
          received: 4,
          lastSeq: 4,
          ended: true,
          ...noMissing,
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
      await store().insert([{ ...(first ?? stored({})), dropped }, ...others]);
      const [account] = await forScope(scopeId).deliveries({ since, limit: 10 });
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
      await store().insertLosses([]);
      await store().insertLosses([losses, losses]);
      await store().insertLosses([losses]);
      const [account, ...others] = await forScope(scopeId).deliveries({ since, limit: 10 });
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
        await store().insert(
          Array.from({ length: events }, (_, index) => stored({ scopeId, event: { seq: 2 * index + 1 } })),
        );
        const [account] = await forScope(scopeId).deliveries({ since, limit: 1 });
        expect(account?.missing.length).toBe(ranges);
        expect(account?.missingEvents).toBe(events - 1);
      }
    });

    it("takes the largest numbers and ranges there are", async () => {
      const scopeId = scope();
      const last = Number.MAX_SAFE_INTEGER;
      const dropped = [{ from_seq: 2, to_seq: last - 1, reason: "queue_full" as const }];
      await store().insert([stored({ scopeId, dropped }), stored({ scopeId, event: { seq: last } })]);
      const [account] = await forScope(scopeId).deliveries({ since, limit: 1 });
      expect(account).toMatchObject({ lastSeq: last, received: 2, missingEvents: last - 2 });
      expect(account?.missing).toEqual([{ fromSeq: 2, toSeq: last - 1, reason: "queue_full" }]);
    });

    it("lists processes seen since then, the latest first, at most `limit`, by service and instance", async () => {
      const scopeId = scope();
      const heard = [0, 1, 2, 3].map((ms) =>
        stored({ scopeId, receivedAt: at(ms), instance: `i${ms}`, service: `s${ms % 2}` }),
      );
      await store().insert([...heard, stored({ scopeId: scope(), receivedAt: at(9), instance: "i0" })]);
      const instances = async (filter: object): Promise<string[]> =>
        (await forScope(scopeId).deliveries({ since, limit: 10, ...filter })).map(({ instance }) => instance);
      expect(await instances({})).toEqual(["i3", "i2", "i1", "i0"]);
      expect(await instances({ limit: 2 })).toEqual(["i3", "i2"]);
      expect(await instances({ since: at(2) })).toEqual(["i3", "i2"]);
      expect(await instances({ service: "s0" })).toEqual(["i2", "i0"]);
      expect(await instances({ instance: "i1" })).toEqual(["i1"]);
      expect(await instances({ instance: "i1", service: "s0" })).toEqual([]);
      await store().insert([stored({ scopeId, receivedAt: at(4), instance: "i0", service: "s0", event: { seq: 2 } })]);
      const [newest] = await forScope(scopeId).deliveries({ since: at(4), limit: 10 });
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
          await store().insert(events.slice(0, cut));
          await store().insertLosses(losses);
          await store().insert(events.slice(drawn.again ? 0 : cut));
          if (drawn.again) await store().insertLosses(losses.slice(0, 1));
          const instances = new Set([...events, ...losses].map(({ instance }) => instance));
          const of = <Row extends { instance: string }>(rows: readonly Row[], instance: string): Row[] =>
            rows.filter((row) => row.instance === instance);
          const model = new Map(
            [...instances].map((instance) => [instance, modelAccount(of(events, instance), of(losses, instance))]),
          );
          const accounts = await forScope(scopeId).deliveries({ since, limit: 10 });
          expect(new Set(accounts.map(({ instance }) => instance))).toEqual(instances);
          for (const account of accounts) expect(account).toMatchObject(model.get(account.instance) ?? {});
          expect(await store().missing(since)).toEqual(modelMissing([...model.values()]));
        }),
        { numRuns: 40 },
      );
    });
  });
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
      instance: anyInstance,
      id: fc.uuid(),
      seq: anySeq,
      type: fc.constantFrom("log" as const, "exit" as const, "exception" as const),
      dropped: fc.option(anyDropped, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 25 },
  ),
  losses: fc.array(fc.record({ instance: anyInstance, dropped: anyDropped }), { maxLength: 3 }),
  again: fc.boolean(),
});
