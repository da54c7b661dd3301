import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MinuteReadings } from "../../src/otlp/minute-readings.ts";
import { type ProcessReading, processReading } from "../../src/otlp/process-reading.ts";
import { metricRequest, readRequest } from "../../src/otlp/requests.ts";

const at = Date.parse("2026-03-01T12:00:10.000Z");

type Attributes = Readonly<Record<string, string>>;
const attributesOf = (given: Attributes = {}) =>
  Object.entries(given).map(([key, value]) => ({ key, value: { stringValue: value } }));
const gauge = (name: string, value: number, attributes?: Attributes) => ({
  name,
  gauge: { dataPoints: [{ timeUnixNano: `${at}000000`, asInt: String(value), attributes: attributesOf(attributes) }] },
});
const requests = (counts: Readonly<Record<string, number>>, aggregationTemporality = 2) => ({
  name: "http.server.request.duration",
  histogram: {
    aggregationTemporality,
    dataPoints: Object.entries(counts).map(([status, count]) => ({
      ...{ timeUnixNano: `${at}000000`, count: String(count) },
      attributes: attributesOf({ "http.response.status_code": status, "http.route": "/orders" }),
    })),
  },
});

function read(...metrics: readonly object[]): ProcessReading | undefined {
  const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
  const { resourceMetrics } = readRequest(metricRequest, Buffer.from(body), "json");
  return processReading(resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)));
}

describe("an export of a process", () => {
  it.each([
    [
      "Node.js",
      [gauge("v8js.memory.heap.used", 3), gauge("v8js.memory.heap.limit", 9)],
      { heap_used_bytes: 3, heap_limit_bytes: 9 },
    ],
    [
      "the JVM, all pools of the heap together",
      [
        gauge("jvm.memory.used", 3, { "jvm.memory.type": "heap", "jvm.memory.pool.name": "eden" }),
        gauge("jvm.memory.used", 4, { "jvm.memory.type": "heap", "jvm.memory.pool.name": "old" }),
        gauge("jvm.memory.used", 99, { "jvm.memory.type": "non_heap" }),
      ],
      { heap_used_bytes: 7 },
    ],
    [
      "Go without a limit",
      [gauge("go.memory.used", 3), gauge("go.memory.limit", 2 ** 53)],
      { heap_used_bytes: 3, heap_limit_bytes: 0 },
    ],
    ["a process", [gauge("process.memory.usage", 5)], { rss_bytes: 5, answered: null, atMs: at }],
    ["a server", [requests({ 200: 8, 404: 1, 503: 2 })], { answered: { since: "start", requests: 11, failed: 2 } }],
    [
      "a server that counts since the last export",
      [requests({ 200: 1 }, 1)],
      { answered: { since: "export", requests: 1, failed: 0 } },
    ],
  ])("of %s says its state", (_of, metrics, state) => {
    expect(read(...metrics)).toMatchObject(state);
  });

  it("says nothing where a sum is beyond all numbers", () => {
    const pool = (asDouble: number) => ({ timeUnixNano: `${at}000000`, asDouble });
    const memory = { name: "process.memory.usage", gauge: { dataPoints: [pool(1e308), pool(1e308)] } };
    expect(read(memory, gauge("v8js.memory.heap.used", 3))).toMatchObject({ rss_bytes: 0, heap_used_bytes: 3 });
  });

  it("says nothing by other metrics", () => {
    expect(read(gauge("shop.orders", 5), gauge("process.memory.usage", -1))).toBeUndefined();
  });
});

const reading = (seconds: number, count: number, failed = 0, since: "start" | "export" = "start"): ProcessReading => ({
  ...{ rss_bytes: 7, heap_used_bytes: 0, heap_limit_bytes: 0, event_loop_delay_ms: 0 },
  ...{ atMs: at + seconds * 1_000, answered: { since, requests: count, failed } },
});

describe("the readings of a minute", () => {
  it("are one, with the requests since the one before", () => {
    const readings = new MinuteReadings();
    const kept = [reading(0, 100, 5), reading(20, 110, 6), reading(40, 130, 6), reading(50, 140, 9)].map((one) =>
      readings.keep("a", one),
    );
    expect(kept.map((one) => one && [one.requests, one.failed_requests])).toEqual([
      [0, 0],
      undefined,
      undefined,
      [40, 4],
    ]);
    expect(readings.keep("b", reading(60, 7))?.requests).toBe(0);
  });

  it("count nothing across a restart of the process, a gap, or the wrong order", () => {
    const readings = new MinuteReadings();
    const counts = [
      reading(0, 100),
      reading(60, 20),
      reading(120, 25),
      reading(300, 90),
      reading(240, 80),
      reading(360, 91),
    ];
    expect(counts.map((one) => readings.keep("a", one)?.requests)).toEqual([0, 0, 5, 0, undefined, 1]);
  });

  it("add up to all requests between the first and the last, however often a process exports", () => {
    const steps = fc.array(fc.record({ seconds: fc.integer({ min: 1, max: 90 }), count: fc.nat(50) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(steps, fc.constantFrom<"start" | "export">("start", "export"), (exports, since) => {
        const readings = new MinuteReadings();
        let [seconds, total, kept] = [0, 0, readings.keep("a", reading(0, 0, 0, since))?.requests ?? 0];
        for (const step of exports) {
          seconds += step.seconds;
          total += step.count;
          kept += readings.keep("a", reading(seconds, since === "start" ? total : step.count, 0, since))?.requests ?? 0;
        }
        // The last export is in another minute, so nothing waits.
        kept += readings.keep("a", reading(seconds + 60, since === "start" ? total : 0, 0, since))?.requests ?? 0;
        expect(kept).toBe(total);
      }),
    );
  });
});
