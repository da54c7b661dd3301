import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredEvent } from "../src/index.ts";
import { describeMeasures } from "./events/contract/measures.ts";
import { describeSessions } from "./events/contract/sessions.ts";
import { describeSpans } from "./events/contract/spans.ts";
import { stored } from "./stored-event.ts";

const noon = Date.parse("2026-03-01T12:00:00.000Z");
const env = "PROD";
const fingerprint = "v1:aaaaaaaaaaaaaaaa";
const hour = { env, from: at(-3_600), to: at(3_600) };

function at(seconds: number): string {
  return new Date(noon + seconds * 1_000).toISOString();
}

type Changes = Partial<Omit<StoredEvent, "event">> & { readonly event?: Partial<TelemetryEvent> };

function heartbeat(
  scopeId: string,
  seconds: number,
  vitals: Record<string, unknown>,
  changes: Changes = {},
): StoredEvent {
  const event = { type: "heartbeat", level: "info", timestamp: at(seconds), attributes: vitals } as const;
  return stored({ scopeId, receivedAt: at(seconds), ...changes, event });
}

/** What every connection of the event store returns about the time around a failure. */
export function describeSurroundings(name: string, opened: () => EventStore): void {
  describeSpans(name, opened);
  describeMeasures(name, opened);
  describeSessions(name, opened);
  const scope = async (...events: readonly ((scopeId: string) => StoredEvent)[]) => {
    const scopeId = `org_${randomUUID()}`;
    // Whatever is asked below is asked beside the same events of another scope.
    await opened().insert([scopeId, `org_${randomUUID()}`].flatMap((one) => events.map((make) => make(one))));
    return opened().forScope(scopeId);
  };
  const failing =
    (seconds: number, changes: Changes = {}) =>
    (scopeId: string) =>
      stored({
        scopeId,
        fingerprint,
        receivedAt: at(seconds),
        ...changes,
        event: { timestamp: at(seconds), ...changes.event },
      });

  describe(`${name}: what stood around a failure`, () => {
    it("counts by minute what a service sent, `from` included and `to` not", async () => {
      const scoped = await scope(
        failing(0),
        failing(59.999),
        failing(60),
        failing(61, { fingerprint: "v1:other" }),
        failing(62, { service: "orders" }),
        failing(63, { env: "DEV" }),
        (id) => heartbeat(id, 30, {}),
        (id) => heartbeat(id, 31, {}, { instance: "instance-2" }),
      );
      const window = { ...hour, service: "shop", fingerprint };
      expect(await scoped.activity({ ...window, from: at(0), to: at(120) })).toEqual([
        { minute: at(0), failing: 2, otherFailures: 0, heartbeats: 2 },
        { minute: at(60), failing: 1, otherFailures: 1, heartbeats: 0 },
      ]);
      const [first] = await scoped.activity({ ...window, to: at(59.999) });
      expect(first).toMatchObject({ failing: 1 });
    });

    it("spreads failures and heartbeats over releases, hosts, instances and routes", async () => {
      const request = { method: "GET", path: "/a/1", route: "/a/:id", headers: {} };
      const scoped = await scope(
        failing(0, { release: "2.0", event: { request } }),
        failing(1, { release: "2.0" }),
        failing(2, { release: "1.0", fingerprint: "v1:other" }),
        (id) => heartbeat(id, 3, {}, { release: "1.0" }),
        (id) => heartbeat(id, 4, {}, { release: "1.0" }),
      );
      const counts = await scoped.spread({ ...hour, service: "shop", fingerprint });
      const of = (dimension: string) => counts.filter((one) => one.dimension === dimension);
      expect(of("total")).toEqual([{ dimension: "total", value: "", failing: 2, otherFailures: 1, heartbeats: 2 }]);
      expect(of("release")).toEqual([
        { dimension: "release", value: "2.0", failing: 2, otherFailures: 0, heartbeats: 0 },
        { dimension: "release", value: "1.0", failing: 0, otherFailures: 1, heartbeats: 2 },
      ]);
      expect(of("route")).toEqual([
        { dimension: "route", value: "", failing: 1, otherFailures: 1, heartbeats: 2 },
        { dimension: "route", value: "/a/:id", failing: 1, otherFailures: 0, heartbeats: 0 },
      ]);
      expect(of("host")).toEqual([{ dimension: "host", value: "host-1", failing: 2, otherFailures: 1, heartbeats: 2 }]);
    });

    it("names of each dimension the 30 most failing values", async () => {
      const scoped = await scope(
        ...Array.from({ length: 31 }, (_, index) => failing(index, { instance: `i${index}` })),
      );
      const counts = await scoped.spread({ ...hour, service: "shop", fingerprint });
      expect(counts.filter(({ dimension }) => dimension === "instance")).toHaveLength(30);
      expect(counts.find(({ dimension }) => dimension === "total")?.failing).toBe(31);
    });

    it("tells which of some failures are in which traces, the newest first", async () => {
      const trace = (id: string) => ({ trace: { trace_id: id, span_id: "s" } });
      const scoped = await scope(
        failing(0, { event: trace("a") }),
        failing(1, { event: trace("a") }),
        failing(2, { service: "orders", fingerprint: "v1:other", event: trace("a") }),
        failing(3, { fingerprint: "v1:unasked", event: trace("a") }),
        failing(4, { service: "orders", fingerprint: "v1:other", event: trace("b") }),
        failing(5),
        failing(6, { env: "DEV", event: trace("c") }),
      );
      const fingerprints = [fingerprint, "v1:other"];
      const found = await scoped.failingTraces({ ...hour, fingerprints, limit: 10 });
      expect(found.map((one) => ({ ...one, fingerprints: one.fingerprints.toSorted() }))).toEqual([
        { traceId: "b", at: at(4), fingerprints: ["v1:other"] },
        { traceId: "a", at: at(0), fingerprints: fingerprints.toSorted() },
      ]);
      expect(await scoped.failingTraces({ ...hour, fingerprints, limit: 1 })).toHaveLength(1);
      const each = await scoped.circumstances({ ...hour, fingerprints, perFailure: 1, limit: 10 });
      expect(each.map((one) => one.at)).toEqual([at(5), at(4)]);
    });

    it("reads the circumstances of events without their bodies, the newest first", async () => {
      const call = (url: string, more = {}) => ({
        timestamp: at(-1),
        category: "http",
        data: { method: "GET", url, ...more },
      });
      const request = {
        method: "POST",
        path: "/pay/7",
        route: "/pay/:id",
        headers: { host: "pay.internal:8080", "user-agent": "curl/8" },
      };
      const breadcrumbs = [
        call("http://stock/1", { status_code: 503, duration_ms: 12.5 }),
        { timestamp: at(-1), category: "log", message: "no call" },
        { ...call("http://stock/2", { error: "socket hang up", error_code: "ECONNRESET" }), scope: "process" as const },
        { timestamp: at(-1), category: "http", data: { method: "GET" } },
      ];
      const scoped = await scope(
        failing(1, {
          event: { message: "x".repeat(301), request, breadcrumbs, trace: { trace_id: "t1", span_id: "s" } },
        }),
        failing(0),
      );
      const found = await scoped.circumstances({ ...hour, limit: 10, fingerprint });
      expect(found).toHaveLength(2);
      expect(found[0]).toMatchObject({
        at: at(1),
        service: "shop",
        runtime: "node 26.1.0",
        host: "host-1",
        traceId: "t1",
        fingerprint,
        method: "POST",
        path: "/pay/7",
        route: "/pay/:id",
        calledAs: "pay.internal:8080",
        userAgent: "curl/8",
        message: "x".repeat(300),
      });
      expect(found[0]?.calls).toEqual([
        {
          at: at(-1),
          method: "GET",
          url: "http://stock/1",
          statusCode: 503,
          durationMs: 12.5,
          error: null,
          isOfProcess: false,
        },
        {
          at: at(-1),
          method: "GET",
          url: "http://stock/2",
          statusCode: null,
          durationMs: null,
          error: "ECONNRESET socket hang up",
          isOfProcess: true,
        },
      ]);
      expect(found[1]).toMatchObject({ method: "", calledAs: "", calls: [] });
    });

    it("selects events by service, failure, other failures, and traces, with a maximum per service", async () => {
      const trace = (trace_id: string) => ({ event: { trace: { trace_id, span_id: "s" } } });
      const scoped = await scope(
        failing(0, { event: { ...trace("t1").event, message: "a" } }),
        failing(1, { service: "orders", fingerprint: "v1:b", event: { ...trace("t1").event, message: "b" } }),
        failing(2, { service: "orders", fingerprint: "v1:c", event: { ...trace("t2").event, message: "c" } }),
        failing(3, { fingerprint: "", event: { type: "log", level: "info", message: "d" } }),
        (id) => heartbeat(id, 4, {}),
      );
      const messages = async (filter: object): Promise<string> =>
        (await scoped.circumstances({ ...hour, limit: 10, ...filter })).map(({ message }) => message).join("");
      expect(await messages({})).toBe("dcba");
      expect(await messages({ service: "orders" })).toBe("cb");
      expect(await messages({ fingerprint })).toBe("a");
      expect(await messages({ otherThan: fingerprint })).toBe("dcb");
      expect(await messages({ traceIds: ["t1"] })).toBe("ba");
      expect(await messages({ perService: 1 })).toBe("dc");
      expect(await messages({ limit: 1 })).toBe("d");
      expect(await messages({ env: "DEV" })).toBe("");
    });

    it("counts the failures of a span, and of as long a span before", async () => {
      const scoped = await scope(failing(-61), failing(-60), failing(-1), failing(0), failing(59), failing(60));
      expect(await scoped.failures({ env, from: at(0), to: at(60), limit: 5 })).toEqual([
        { service: "shop", fingerprint, events: 2, before: 2, firstAt: at(0), lastAt: at(59) },
      ]);
      expect(await scoped.failures({ env, from: at(200), to: at(210), limit: 5 })).toEqual([]);
    });

    it("tells the releases of all services and the lives of processes", async () => {
      const scoped = await scope(
        failing(0, { release: "1.0", instance: "a" }),
        failing(50, { release: "1.0", instance: "b" }),
        failing(60, { release: "2.0", instance: "c" }),
        failing(90, { release: "2.0", instance: "c", event: { type: "exit" }, fingerprint: "" }),
        failing(70, { release: "", service: "orders", instance: "d" }),
      );
      const since = at(0);
      expect(await scoped.releases({ env, since, limit: 9 })).toEqual([
        {
          service: "shop",
          release: "2.0",
          firstAt: at(60),
          isStartKnown: false,
          lastAt: at(90),
          lives: 1,
          starts: [at(60)],
          runningAt: null,
        },
        {
          service: "shop",
          release: "1.0",
          firstAt: at(0),
          isStartKnown: false,
          lastAt: at(50),
          lives: 2,
          starts: [at(50), at(0)],
          runningAt: at(50),
        },
      ]);
      expect(await scoped.releases({ env, since: at(51), limit: 9 })).toHaveLength(1);
      const all = await scoped.lives({ env, since, limit: 9 });
      expect(all.map(({ instance }) => instance)).toEqual(["c", "d", "b", "a"]);
      expect(all[0]).toEqual({
        service: "shop",
        instance: "c",
        host: "host-1",
        release: "2.0",
        firstAt: at(60),
        lastAt: at(90),
        ended: true,
      });
      expect(await scoped.lives({ env, since, limit: 9, service: "orders" })).toMatchObject([
        { release: "", ended: false },
      ]);
      expect(await scoped.lives({ env, since, limit: 9, host: "host-2" })).toEqual([]);
    });

    it("knows when a release started by the uptime of its processes, which is at most 30 days", async () => {
      const days = 86_400;
      const scoped = await scope(
        failing(64.5, { release: "2.0", instance: "a" }),
        (id) => heartbeat(id, 65, { uptime_seconds: 5 }, { release: "2.0", instance: "a" }),
        (id) => heartbeat(id, 125, { uptime_seconds: 65 }, { release: "2.0", instance: "a" }),
        (id) => heartbeat(id, 66, { uptime_seconds: "long" }, { release: "1.0", instance: "b" }),
        (id) => heartbeat(id, 67, { uptime_seconds: 31 * days }, { release: "0.9", instance: "c" }),
      );
      const life = { service: "shop", lives: 1 };
      const ran = (from: number, to: number) => ({
        firstAt: at(from),
        starts: [at(from)],
        lastAt: at(to),
        runningAt: at(to),
      });
      expect(await scoped.releases({ env, since: at(0), limit: 9 })).toEqual([
        { ...life, release: "1.0", ...ran(66, 66), isStartKnown: false },
        { ...life, release: "2.0", ...ran(60, 125), isStartKnown: true },
        { ...life, release: "0.9", ...ran(67 - 30 * days, 67), isStartKnown: true },
      ]);
    });

    it("reads how processes were from their heartbeats, a climbing heap and a late event loop", async () => {
      const mebibyte = 1_048_576;
      const beats = [0, 1, 2, 3].map(
        (minute) => (id: string) =>
          heartbeat(id, minute * 60, {
            heap_used_bytes: (100 + 60 * minute) * mebibyte,
            heap_limit_bytes: 512 * mebibyte,
            event_loop_delay_ms: minute === 2 ? 900 : 2,
            uptime_seconds: 60 * minute,
          }),
      );
      const again = beats[1];
      const scoped = await scope(...beats, ...(again ? [again] : []), (id) =>
        heartbeat(id, 0, { heap_used_bytes: "no number", rss_bytes: 5 }, { instance: "instance-2" }),
      );
      const [climbing, other] = await scoped.vitals({ ...hour, services: ["shop"], limit: 5 });
      expect(climbing).toMatchObject({
        instance: "instance-1",
        host: "host-1",
        release: "1.0",
        firstAt: at(0),
        lastAt: at(180),
        memory: {
          ...{ of: "heap", beats: 4, since: at(0), limitBytes: 512 * mebibyte },
          ...{ firstBytes: 100 * mebibyte, lastBytes: 280 * mebibyte },
        },
        loopDelayMax: 900,
        loopDelayMedian: 2,
        loopDelayLast: 2,
        uptimeSeconds: 180,
      });
      expect(climbing?.memory?.slope).toBeCloseTo(mebibyte, -1);
      expect(climbing?.memory?.fit).toBeCloseTo(1, 5);
      expect(other).toMatchObject({
        ...{ instance: "instance-2", beats: 1 },
        memory: { of: "process", beats: 1, firstBytes: 5, limitBytes: null, slope: 0, fit: 0 },
      });
      expect(await scoped.vitals({ ...hour, services: ["orders"], limit: 5 })).toEqual([]);
    });

    it("never follows a heap by the memory of the whole process, which a blocked process reports alone", async () => {
      const heap = { heap_used_bytes: 100, heap_limit_bytes: 1_000, rss_bytes: 700 };
      const blocked = { rss_bytes: 900, main_thread_blocked_ms: 40_000 };
      const scoped = await scope(
        ...[0, 60].map((seconds) => (id: string) => heartbeat(id, seconds, heap)),
        (id) => heartbeat(id, 120, blocked),
        (id) => heartbeat(id, 180, {}, { instance: "silent" }),
        ...[0, 60].map((seconds) => (id: string) => heartbeat(id, seconds, blocked, { instance: "blocked" })),
      );
      const found = await scoped.vitals({ ...hour, services: ["shop"], limit: 5 });
      const memory = Object.fromEntries(found.map((one) => [one.instance, one.memory]));
      expect(memory["instance-1"]).toMatchObject({ of: "heap", beats: 2, firstBytes: 100, lastBytes: 100 });
      expect(memory.blocked).toMatchObject({ of: "process", firstBytes: 900, lastBytes: 900, limitBytes: null });
      expect(memory.silent).toBeNull();
    });

    it("counts what a service answered by minute, each heartbeat once, and nothing without reports", async () => {
      const answering =
        (seconds: number, requests: number, failed: number, changes = {}) =>
        (id: string) =>
          heartbeat(id, seconds, { requests, failed_requests: failed }, changes);
      const again = answering(0, 100, 3);
      const scoped = await scope(
        ...[again, again, answering(1, 20, 0, { instance: "instance-2" }), answering(60, 90, 1)],
        ...[answering(120, 0, 0), answering(180, 7, 7, { env: "STAGING" })],
        (id) => heartbeat(id, 240, { uptime_seconds: 1 }),
      );
      expect(await scoped.answers({ ...hour, service: "shop" })).toEqual([
        { at: at(0), requests: 120, failed: 3 },
        { at: at(60), requests: 90, failed: 1 },
      ]);
      expect(await scoped.answers({ ...hour, service: "orders" })).toEqual([]);
    });
  });
}
