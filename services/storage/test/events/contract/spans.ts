import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredReading, StoredSpan } from "../../../src/index.ts";
import { stored, storedSpan } from "../../stored-event.ts";

/** The engine drops what is older than spans are kept. */
const now = Math.floor(Date.now() / 1_000) * 1_000;
const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
const received = at(0.5);
const hour = { env: "PROD", from: at(-3_600), to: at(3_600) };

/** What every connection of the event store returns about steps of traces. */
export function describeSpans(name: string, opened: () => EventStore): void {
  const scope = async (...spans: readonly Partial<StoredSpan>[]) => {
    const [scopeId, other] = [`org_${randomUUID()}`, `org_${randomUUID()}`];
    await opened().insertSpans(
      [scopeId, other].flatMap((one) =>
        spans.map((span) => storedSpan({ at: at(0), receivedAt: received, ...span, scopeId: one })),
      ),
    );
    return { scopeId, scoped: opened().forScope(scopeId) };
  };
  const id = (bytes: number): string => randomBytes(bytes).toString("hex");

  describe(`${name}: steps of traces`, () => {
    it("are returned as they were stored, each once, the newest first", async () => {
      const times = { at: at(0), receivedAt: received };
      const first = storedSpan({ ...times, spanId: id(8), name: "tab\tand \\ line\n", error: "", statusCode: null });
      const second = storedSpan({ ...times, spanId: id(8), at: at(1), kind: "server", category: "", weight: 10 });
      const { scopeId, scoped } = await scope(first, second, first);
      const filter = { ...hour, limit: 10 };
      const call = { method: "GET", url: first.target, error: "the call failed", isOfProcess: false };
      expect(await scoped.spans(filter)).toMatchObject([
        { ...second, scopeId, call: null },
        { ...first, scopeId, call },
      ]);
      expect(await scoped.spans({ ...filter, limit: 1 })).toHaveLength(1);
      expect(await scoped.spans({ ...filter, to: at(1) })).toHaveLength(1);
      expect(await scoped.spans({ ...filter, env: "DEV" })).toEqual([]);
      expect(await scoped.spans({ ...filter, kinds: ["server"] })).toHaveLength(1);
      expect(await scoped.spans({ ...filter, service: "orders" })).toEqual([]);
      expect(await scoped.spans({ ...filter, traceIds: ["0".repeat(32)] })).toEqual([]);
    });

    it("are the calls before an event of their trace and service that has none of its own", async () => {
      const traceId = id(16);
      const call = (seconds: number, changes: Partial<StoredSpan>) => ({
        traceId,
        spanId: id(8),
        at: at(seconds),
        ...changes,
      });
      const { scopeId, scoped } = await scope(
        call(-31, { target: "http://too-early/" }),
        call(-2, { target: "http://prices/2", statusCode: 503, error: "" }),
        call(-1, { target: "http://stock/1", statusCode: null, error: "ECONNREFUSED" }),
        call(2, { target: "http://too-late/" }),
        call(-1, { category: "db", target: "SELECT 1" }),
        call(-1, { service: "prices", target: "http://of-another/" }),
        { ...call(-1, { target: "http://of-another-trace/" }), traceId: id(16) },
      );
      const trace = { trace_id: traceId, span_id: id(8) };
      const timestamp = at(0);
      await opened().insert([
        stored({ scopeId, receivedAt: received, fingerprint: "v1:a", event: { timestamp, trace } }),
        stored({ scopeId, receivedAt: received, fingerprint: "v1:b", event: { timestamp } }),
      ]);
      const found = await scoped.circumstances({ ...hour, limit: 10 });
      const callsOf = (fingerprint: string) => found.find((one) => one.fingerprint === fingerprint)?.calls;
      expect(callsOf("v1:b")).toEqual([]);
      expect(callsOf("v1:a")).toEqual([
        {
          ...{ at: at(-2), method: "GET", url: "http://prices/2", statusCode: 503, durationMs: 12.5, error: null },
          isOfProcess: false,
        },
        {
          ...{ at: at(-1), method: "GET", url: "http://stock/1", statusCode: null, durationMs: 12.5 },
          ...{ error: "ECONNREFUSED", isOfProcess: false },
        },
      ]);
    });

    it("say which service answers at a host: the one whose span is the child of a call there", async () => {
      const pair = (host: string, service: string): Partial<StoredSpan>[] => {
        const [traceId, spanId] = [id(16), id(8)];
        return [
          { traceId, spanId, peer: host },
          { traceId, spanId: id(8), parentId: spanId, kind: "server", service, peer: "" },
        ];
      };
      const { scoped } = await scope(
        ...pair("10.0.0.7:8080", "prices"),
        ...pair("10.0.0.7:8080", "prices"),
        ...pair("10.0.0.8:8080", "stock"),
        ...pair("localhost", "shop"),
        { spanId: id(8), peer: "unanswered" },
      );
      expect(await scoped.answeredHosts(hour)).toEqual([
        { host: "10.0.0.7:8080", service: "prices", calls: 2 },
        { host: "10.0.0.8:8080", service: "stock", calls: 1 },
      ]);
    });
  });

  describe(`${name}: hosts that spans call`, () => {
    it("are those that a service called, each span as often as it stands for calls", async () => {
      const call = (changes: Partial<StoredSpan>): Partial<StoredSpan> => ({
        traceId: id(16),
        spanId: id(8),
        ...changes,
      });
      const refused = call({ peer: "stock:81", statusCode: null, error: "ECONNREFUSED", durationMs: 3 });
      const { scoped } = await scope(
        call({ peer: "prices:80", weight: 10, durationMs: 20 }),
        call({ peer: "prices:80", statusCode: 503, error: "", durationMs: 900 }),
        call({ peer: "prices:80", statusCode: 404, error: "", durationMs: 20 }),
        ...[refused, refused],
        call({ peer: "db:5432", category: "db", service: "orders" }),
        call({ peer: "prices:80", kind: "server" }),
      );
      expect(await scoped.calledHosts({ ...hour, service: "shop" })).toEqual([
        { host: "prices:80", calls: 12, failed: 1, medianMs: 20, slowMs: 416 },
        { host: "stock:81", calls: 1, failed: 1, medianMs: 3, slowMs: 3 },
      ]);
    });
  });

  describe(`${name}: states of processes without heartbeats`, () => {
    it("are read beside heartbeats: memory and event loop", async () => {
      const scopeId = `org_${randomUUID()}`;
      const reading = (minute: number, changes: Partial<StoredReading> = {}): StoredReading => ({
        ...{ scopeId, service: "shop", env: "PROD", release: "1.0", instance: "a", host: "web-3", runtime: "go 1.26" },
        ...{ at: at(60 * minute), rssBytes: 0, heapUsedBytes: 100 + minute, heapLimitBytes: 200, eventLoopDelayMs: 0 },
        ...{ receivedAt: at(60 * minute), cpu: 0, pool: null, ...changes },
      });
      await opened().insertReadings([]);
      await opened().insertReadings([reading(0), reading(1), reading(0), reading(1, { instance: "b" })]);
      const scoped = opened().forScope(scopeId);
      const [vitals] = await scoped.vitals({ ...hour, services: ["shop"], limit: 1 });
      expect(vitals).toMatchObject({ instance: "a", host: "web-3", beats: 2, memory: { of: "heap", limitBytes: 200 } });
      expect(vitals?.memory).toMatchObject({ firstBytes: 100, lastBytes: 101 });
    });

    it("say how busy processors and pools were in the last five minutes", async () => {
      const scopeId = `org_${randomUUID()}`;
      const reading = (seconds: number, changes: Partial<StoredReading>): StoredReading => ({
        ...{ scopeId, service: "shop", env: "PROD", release: "1.0", instance: "a", host: "web-3", runtime: "go 1.26" },
        ...{ rssBytes: 0, heapUsedBytes: 0, heapLimitBytes: 0, eventLoopDelayMs: 0 },
        ...{ at: at(seconds), receivedAt: at(seconds), cpu: 0, pool: null, ...changes },
      });
      const pool = (used: number, max: number, waiting: number) => ({ name: "orders\t1", used, max, waiting });
      await opened().insertReadings([
        reading(-301, { cpu: 0.25, pool: pool(5, 5, 9) }),
        reading(-240, { cpu: 0.5, pool: pool(2, 10, 4) }),
        reading(-180, { pool: pool(10, 10, 3) }),
        reading(-60, { cpu: 0.75 }),
        reading(-301, { instance: "b", cpu: 1, pool: pool(5, 5, 9) }),
        reading(-60, { instance: "b" }),
        reading(-60, { instance: "c", pool: pool(1, 2, 0) }),
        reading(-30, { instance: "c", pool: pool(2, 2, 0) }),
      ]);
      const filter = { ...hour, to: at(0), services: ["shop"], limit: 9 };
      const vitals = await opened().forScope(scopeId).vitals(filter);
      const stateOf = (instance: string) => {
        const { cpu, pool } = vitals.find((one) => one.instance === instance) ?? {};
        return { cpu, pool };
      };
      expect(stateOf("a")).toEqual({ cpu: { last: 0.75, median: 0.5 }, pool: pool(2, 10, 4) });
      expect(stateOf("b")).toEqual({ cpu: null, pool: null });
      expect(stateOf("c")).toEqual({ cpu: null, pool: pool(2, 2, 0) });
    });
  });
}
