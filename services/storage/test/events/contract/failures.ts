import { hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredEvent } from "../../../src/index.ts";
import { stored } from "../../stored-event.ts";
import { at, scope, wide } from "./samples.ts";

/** What every connection of the {@link EventStore} says of failures, and of the services that have them. */
export function describeFailures(name: string, store: () => EventStore): void {
  const forScope = (scopeId: string) => store().forScope(scopeId);

  describe(`${name}: failures`, () => {
    const fingerprint = "v1:bbbbbbbbbbbbbbbb";
    const receivedAt = at(180_000);

    it("says how many, since when, until when and where", async () => {
      const scopeId = scope();
      const request = { method: "GET", path: "/orders/7", route: "/orders/:id", headers: {} };
      await store().insert([
        stored({
          scopeId,
          fingerprint,
          receivedAt,
          service: "orders",
          release: "1.1",
          event: { timestamp: at(61_500), request },
        }),
        stored({ scopeId, fingerprint, service: "storefront", release: "", event: { timestamp: at(-5) } }),
        stored({ scopeId, fingerprint, service: "orders", release: "1.0", event: { timestamp: at(500), request } }),
        stored({ scopeId, fingerprint: "", service: "other" }),
      ]);
      expect(await forScope(scopeId).failure(fingerprint)).toEqual({
        events: 3,
        firstSeen: at(-5),
        lastSeen: at(61_500),
        services: ["orders", "storefront"],
        routes: ["/orders/:id"],
        hosts: ["host-1"],
        releases: ["1.0", "1.1"],
      });
    });

    it("counts by minute, the oldest first, the minute of `from` included, the one of `to` not", async () => {
      const scopeId = scope();
      const times = [-1, 0, 59_999, 60_000, 180_000];
      await store().insert(
        times.map((ms) => stored({ scopeId, fingerprint, receivedAt, event: { timestamp: at(ms) } })),
      );
      const counts = await forScope(scopeId).failureByMinute({ fingerprint, from: at(0), to: at(180_000) });
      expect(counts).toEqual([
        { minute: at(0), events: 2 },
        { minute: at(60_000), events: 1 },
      ]);
      const all = await forScope(scopeId).failureByMinute({ ...wide, fingerprint });
      expect(all.map(({ events }) => events)).toEqual([1, 2, 1, 1]);
    });

    it("counts the users that its events name, each once, and none where no event names one", async () => {
      const scopeId = scope();
      const by = (user: Record<string, unknown> | undefined, ms = 0) =>
        stored({ scopeId, fingerprint, receivedAt, event: { timestamp: at(ms), ...(user && { user }) } });
      await store().insert([
        ...[by({ id: "31" }), by({ id: "31", email: "ada@example.com" }, 1), by({ id: 31 }), by({ id: "32" })],
        ...[by(undefined), by({}), by({ id: "" }), by({ id: null }), by({ id: "33" }, 60_000)],
      ]);
      const users = (to: number) => forScope(scopeId).failureUsers({ fingerprint, from: at(0), to: at(to) });
      expect([await users(60_000), await users(60_001)]).toEqual([3, 4]);
      expect(await forScope(scope()).failureUsers({ ...wide, fingerprint })).toBe(0);
    });

    it("counts several failures by hour and environment, each event once, and no others", async () => {
      const scopeId = scope();
      const other = "v1:cccccccccccccccc";
      const once = stored({ scopeId, fingerprint, receivedAt: at(3 * hourMs), event: { timestamp: at(hourMs) } });
      await store().insert([
        once,
        once,
        stored({ scopeId, fingerprint, receivedAt: at(3 * hourMs), event: { timestamp: at(0) } }),
        stored({ scopeId, fingerprint, receivedAt: at(3 * hourMs), event: { timestamp: at(hourMs - 1) } }),
        stored({ scopeId, fingerprint, receivedAt: at(3 * hourMs), env: "STAGING", event: { timestamp: at(0) } }),
        stored({ scopeId, fingerprint: other, receivedAt: at(3 * hourMs), event: { timestamp: at(0) } }),
        stored({
          scopeId,
          fingerprint: "v1:dddddddddddddddd",
          receivedAt: at(3 * hourMs),
          event: { timestamp: at(0) },
        }),
        stored({ scopeId, fingerprint, receivedAt: at(3 * hourMs), event: { timestamp: at(2 * hourMs) } }),
      ]);
      const span = { fingerprints: [fingerprint, other], from: at(0), to: at(2 * hourMs) };
      expect(await forScope(scopeId).failuresByHour(span)).toEqual([
        { fingerprint, env: "PROD", hour: at(0), events: 2 },
        { fingerprint, env: "STAGING", hour: at(0), events: 1 },
        { fingerprint: other, env: "PROD", hour: at(0), events: 1 },
        { fingerprint, env: "PROD", hour: at(hourMs), events: 1 },
      ]);
      expect(await forScope(scopeId).failuresByHour({ ...span, fingerprints: [] })).toEqual([]);
    });

    it("counts those of one environment, if one is asked for, and of every one otherwise", async () => {
      const scopeId = scope();
      const staged = { env: "STAGING", host: { ...stored({}).host, name: "stage-1" } };
      await store().insert([
        stored({ scopeId, fingerprint }),
        stored({ scopeId, fingerprint, ...staged }),
        stored({ scopeId, fingerprint, ...staged }),
      ]);
      const counted = async (env?: string) => {
        const scoped = forScope(scopeId);
        const [minute] = await scoped.failureByMinute({ ...wide, fingerprint, env });
        const { hosts } = await scoped.failurePlaces({ ...wide, fingerprint, env });
        return [minute?.events, hosts.map(({ name }) => name)];
      };
      expect(await counted("PROD")).toEqual([1, ["host-1"]]);
      expect(await counted("STAGING")).toEqual([2, ["stage-1"]]);
      expect(await counted()).toEqual([3, ["stage-1", "host-1"]]);
    });

    it("names at most 100 of each", async () => {
      const scopeId = scope();
      const names = Array.from({ length: 101 }, (_, index) => `service-${index}`);
      await store().insert(names.slice(0, 100).map((service) => stored({ scopeId, fingerprint, service })));
      expect((await forScope(scopeId).failure(fingerprint))?.services.length).toBe(100);
      await store().insert([stored({ scopeId, fingerprint, service: "service-100" })]);
      const totals = await forScope(scopeId).failure(fingerprint);
      expect(totals?.services.length).toBe(100);
      expect(totals?.events).toBe(101);
    });

    it("returns null for an unknown failure", async () => {
      expect(await forScope(scope()).failure("v1:cccccccccccccccc")).toBeNull();
      expect(await forScope(scope()).failureByMinute({ ...wide, fingerprint: "v1:cccccccccccccccc" })).toEqual([]);
    });

    it("says where a failure happened, each event once, and when releases began", async () => {
      const scopeId = scope();
      const fingerprint = "v1:dddddddddddddddd";
      const events = [
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(0) } }),
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(1) } }),
        stored({ scopeId, fingerprint, release: "", event: { timestamp: at(2) } }),
        stored({ scopeId, release: "1", event: { timestamp: at(-5), type: "heartbeat", level: "info" } }),
        stored({ scopeId, service: "other", release: "3", event: { timestamp: at(0) } }),
      ];
      await store().insert(events);
      await store().insert(events.slice(0, 1));
      const scoped = forScope(scopeId);
      expect(await scoped.failurePlaces({ fingerprint, from: at(0), to: at(1_000) })).toEqual({
        routes: [],
        hosts: [{ name: "host-1", events: 3 }],
        releases: [{ name: "2", events: 2 }],
      });
      const millisecond = { fingerprint, from: at(1), to: at(2) };
      expect((await scoped.failurePlaces(millisecond)).releases).toEqual([{ name: "2", events: 1 }]);
      expect(await scoped.firstReleases("shop", at(-10), at(1_000))).toEqual([
        { release: "1", firstSeen: at(-5) },
        { release: "2", firstSeen: at(0) },
      ]);
      expect(await forScope(scope()).firstReleases("shop", at(-10), at(1_000))).toEqual([]);
    });

    it("finds the first event of each failure of a release, that of one failure before the others", async () => {
      const scopeId = scope();
      const failing = (fingerprint: string, second: number, rest: object = {}) =>
        stored({ scopeId, fingerprint, release: "2", event: { timestamp: at(second) }, ...rest });
      const events = [
        failing("v1:b", 1),
        failing("v1:b", 2),
        failing("v1:c", 3),
        failing("v1:a", 5),
        failing("v1:a", 4),
        failing("", 0),
        failing("v1:d", 0, { release: "1" }),
        failing("v1:e", 0, { service: "other" }),
      ];
      await store().insert(events);
      await store().insert(events.slice(0, 1));
      const first = { service: "shop", release: "2", fingerprint: "v1:a", from: at(-10), to: at(1_000), limit: 10 };
      const found = async (changes: object = {}) =>
        (await forScope(scopeId).firstOfFailures({ ...first, ...changes })).map(({ fingerprint, event }) => [
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
      expect(await forScope(scope()).firstOfFailures(first)).toEqual([]);
    });
  });

  describe(`${name}: services`, () => {
    it("says for each service when it was last seen, what runs, and how often it failed by hour", async () => {
      const scopeId = scope();
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
      await store().insert([
        said("a", 0, { release: "1.0" }),
        said("a", 10, { release: "1.0", ends: true }),
        beat,
        twice,
        said("b", hourMs, { release: "2.0", fails: true }),
        said("c", -1, { release: "0.9" }),
        said("d", 5, { service: "billing", env: "STAGING", release: "" }),
      ]);
      await store().insert([twice, beat]);
      const filter = { since: at(0), aliveSince: at(20), limit: 10 };
      expect(await forScope(scopeId).services(filter)).toEqual([
        {
          service: "shop",
          env: "PROD",
          release: "2.0",
          lastSeenAt: at(hourMs),
          processes: 1,
          failures: [
            { hour: at(0), events: 1 },
            { hour: at(hourMs), events: 1 },
          ],
          answers: [{ at: at(0), requests: 240, failed: 6 }],
          spoolFolder: "/tmp/b",
          spoolOff: "",
        },
        {
          service: "billing",
          env: "STAGING",
          release: "",
          lastSeenAt: at(5),
          processes: 0,
          failures: [],
          answers: [{ at: at(0), requests: 120, failed: 3 }],
          spoolFolder: "/tmp/d",
          spoolOff: "",
        },
      ]);
      expect(await forScope(scopeId).services({ ...filter, limit: 1 })).toHaveLength(1);
      expect(await forScope(scopeId).services({ ...filter, since: at(hourMs + 1) })).toEqual([]);
      expect(await forScope(scope()).services(filter)).toEqual([]);
    });
  });
}
