import type { TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredEvent } from "../../../src/index.ts";
import { stored } from "../../stored-event.ts";
import { at, scope } from "./samples.ts";

const minute = 60_000;
const failing = "v1:eeeeeeeeeeeeeeee";

type Changes = Partial<Omit<StoredEvent, "event">> & { readonly event?: Partial<TelemetryEvent> };

/** What every connection of the {@link EventStore} says of one service. */
export function describeServices(name: string, store: () => EventStore): void {
  const forScope = (scopeId: string) => store().forScope(scopeId);
  const span = { service: "shop", env: "PROD", from: at(0), to: at(10 * minute) };

  function beat(scopeId: string, ms: number, attributes: Record<string, unknown>, changes: Changes = {}): StoredEvent {
    const event = { type: "heartbeat", level: "info", timestamp: at(ms), attributes } as const;
    return stored({ scopeId, receivedAt: at(ms), ...changes, event });
  }

  function failure(scopeId: string, ms: number, changes: Changes = {}): StoredEvent {
    const event = { timestamp: at(ms), ...changes.event };
    return stored({ scopeId, fingerprint: failing, receivedAt: at(ms), ...changes, event });
  }

  describe(`${name}: one service`, () => {
    it("is counted by steps, each event and heartbeat once, `from` included and `to` not", async () => {
      const scopeId = scope();
      const twice = failure(scopeId, 0);
      const beats = beat(scopeId, 1, { requests: 100, failed_requests: 4, rss_bytes: 10, event_loop_delay_ms: 3 });
      await store().insert([
        twice,
        beats,
        beat(scopeId, 2, { requests: 20, rss_bytes: 30, event_loop_delay_ms: 1 }, { instance: "instance-2" }),
        failure(scopeId, 5 * minute - 1),
        failure(scopeId, 5 * minute),
        failure(scopeId, 10 * minute),
        failure(scopeId, -1),
        failure(scopeId, 1, { env: "STAGING" }),
        failure(scopeId, 1, { service: "orders" }),
        failure(scopeId, 1, { fingerprint: "" }),
        failure(scope(), 1),
      ]);
      await store().insert([twice, beats]);
      expect(await forScope(scopeId).serviceCourse({ ...span, stepSeconds: 300 })).toEqual([
        { at: at(0), failures: 2, requests: 120, failed: 4, processes: 2, memoryBytes: 30, loopDelayMs: 3 },
        { at: at(5 * minute), failures: 1, requests: 0, failed: 0, processes: 0, memoryBytes: 0, loopDelayMs: 0 },
      ]);
      expect(await forScope(scope()).serviceCourse({ ...span, stepSeconds: 300 })).toEqual([]);
    });

    it("has steps that begin with the span", async () => {
      const scopeId = scope();
      await store().insert([failure(scopeId, 7 * minute)]);
      const course = await forScope(scopeId).serviceCourse({ ...span, from: at(5 * minute), stepSeconds: 14_400 });
      expect(course.map((step) => step.at)).toEqual([at(5 * minute)]);
    });

    it("is compared by release, the most failing first", async () => {
      const scopeId = scope();
      const counts = { requests: 50, failed_requests: 5 };
      await store().insert([
        failure(scopeId, 1, { release: "2.0" }),
        failure(scopeId, 2, { release: "2.0" }),
        failure(scopeId, 3, { release: "" }),
        beat(scopeId, 4, counts, { release: "2.0" }),
        beat(scopeId, 5, { requests: 40 }, { release: "1.0", instance: "instance-2" }),
      ]);
      expect(await forScope(scopeId).releaseCounts(span)).toEqual([
        { release: "2.0", failures: 2, requests: 50, failed: 5 },
        { release: "", failures: 1, requests: 0, failed: 0 },
        { release: "1.0", failures: 0, requests: 40, failed: 0 },
      ]);
    });

    it("names the processes whose exception ended them, unless a heartbeat shows that they survived", async () => {
      const scopeId = scope();
      const fatal = (instance: string, ms: number, handled: boolean, level: "critical" | "error") =>
        failure(scopeId, ms, { instance, event: { level, mechanism: { type: "uncaughtException", handled } } });
      await store().insert([
        beat(scopeId, 1, {}, { instance: "crashed" }),
        fatal("crashed", 2, false, "critical"),
        fatal("survived", 2, false, "critical"),
        beat(scopeId, 3, {}, { instance: "survived" }),
        fatal("handled", 2, true, "critical"),
        fatal("mild", 2, false, "error"),
        fatal("not-asked", 2, false, "critical"),
      ]);
      const instances = ["crashed", "survived", "handled", "mild"];
      expect(await forScope(scopeId).crashes({ ...span, instances })).toEqual([{ instance: "crashed", at: at(2) }]);
      expect(await forScope(scopeId).crashes({ ...span, instances: [] })).toEqual([]);
      expect(await forScope(scope()).crashes({ ...span, instances })).toEqual([]);
    });

    it("is known by the calls that its events recorded, each call once", async () => {
      const scopeId = scope();
      const call = (ms: number, url: string, data: object) => ({
        ...{ timestamp: at(ms), category: "http" },
        data: { method: "GET", url, ...data },
      });
      const slow = call(1, "http://orders:8080/a", { status_code: 200, duration_ms: 30 });
      const refused = call(2, "http://orders:8080/b", { error: "ECONNREFUSED", duration_ms: 10 });
      const other = call(3, "https://pay.example/c", { status_code: 503, duration_ms: 5 });
      const query = { timestamp: at(4), category: "query", data: { duration_ms: 900 } };
      await store().insert([
        failure(scopeId, 5, { event: { breadcrumbs: [slow, refused, query] } }),
        failure(scopeId, 6, { event: { breadcrumbs: [slow, refused, other] } }),
        failure(scopeId, 7, { event: { breadcrumbs: [call(4, "http://untimed/d", { status_code: 200 })] } }),
        failure(scopeId, 6, { service: "orders", event: { breadcrumbs: [other] } }),
      ]);
      expect(await forScope(scopeId).calledHosts(span)).toEqual([
        { host: "orders:8080", calls: 2, failed: 1, medianMs: 20, slowMs: 29 },
        { host: "pay.example", calls: 1, failed: 1, medianMs: 5, slowMs: 5 },
        { host: "untimed", calls: 1, failed: 0, medianMs: null, slowMs: null },
      ]);
    });

    it("lists the environments in which it reported, the most recently seen first", async () => {
      const scopeId = scope();
      await store().insert([
        failure(scopeId, 1),
        failure(scopeId, 2, { env: "STAGING" }),
        failure(scopeId, 3, { env: "DEV", service: "orders" }),
      ]);
      expect(await forScope(scopeId).serviceEnvs("shop")).toEqual([
        { env: "STAGING", lastSeenAt: at(2) },
        { env: "PROD", lastSeenAt: at(1) },
      ]);
      expect(await forScope(scopeId).serviceEnvs("unknown")).toEqual([]);
    });

    it("counts no crashed process among those that run", async () => {
      const scopeId = scope();
      const event = { level: "critical", mechanism: { type: "uncaughtException", handled: false } } as const;
      await store().insert([
        beat(scopeId, 1, {}),
        failure(scopeId, 2, { event }),
        beat(scopeId, 1, {}, { instance: "instance-2" }),
      ]);
      const [shop] = await forScope(scopeId).services({ since: at(0), aliveSince: at(0), limit: 5 });
      expect(shop?.processes).toBe(1);
    });

    it("has its own releases when one service is asked for", async () => {
      const scopeId = scope();
      await store().insert([failure(scopeId, 1), failure(scopeId, 2, { service: "orders", release: "7" })]);
      const releases = async (service?: string) =>
        (await forScope(scopeId).releases({ env: "PROD", since: at(0), limit: 9, service })).map((one) => one.release);
      expect(await releases("orders")).toEqual(["7"]);
      expect(await releases()).toEqual(["7", "1.0"]);
    });
  });
}
