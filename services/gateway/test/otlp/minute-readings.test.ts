import { describe, expect, it } from "vitest";
import { MinuteReadings } from "../../src/otlp/minute-readings.ts";
import { otlpLimits } from "../../src/otlp/otlp-limits.ts";
import { type ProcessReading, processReading } from "../../src/otlp/process-reading.ts";
import { processesMax } from "../../src/otlp/remembered-processes.ts";
import { metricRequest, readRequest } from "../../src/otlp/requests.ts";

const at = Date.parse("2026-03-01T12:00:10.000Z");

type Attributes = Readonly<Record<string, string>>;
const attributesOf = (given: Attributes = {}) =>
  Object.entries(given).map(([key, value]) => ({ key, value: { stringValue: value } }));
const gauge = (name: string, value: number, attributes?: Attributes) => ({
  name,
  gauge: { dataPoints: [{ timeUnixNano: `${at}000000`, asInt: String(value), attributes: attributesOf(attributes) }] },
});
const share = (name: string, asDouble: number) => ({
  name,
  gauge: { dataPoints: [{ timeUnixNano: `${at}000000`, asDouble }] },
});
const poolOf = (name: string, state?: string): Attributes => ({
  "db.client.connection.pool.name": name,
  ...(state !== undefined && { "db.client.connection.state": state }),
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
    ["a process", [gauge("process.memory.usage", 5)], { rss_bytes: 5, atMs: at }],
    [
      "a process, its processors in use by programs and by the system",
      [share("process.cpu.utilization", 0.25), share("process.cpu.utilization", 0.5)],
      { cpu: 0.75 },
    ],
    ["the JVM", [share("jvm.cpu.recent_utilization", 1.01)], { cpu: 1 }],
    [
      "its pools, the one for which most requests wait",
      [
        gauge("db.client.connection.count", 9, poolOf("reports", "used")),
        gauge("db.client.connection.max", 10, poolOf("reports")),
        gauge("db.client.connection.count", 4, poolOf("orders", "used")),
        gauge("db.client.connection.count", 1, poolOf("orders", "idle")),
        gauge("db.client.connection.max", 8, poolOf("orders")),
        gauge("db.client.connection.pending_requests", 2, poolOf("orders")),
      ],
      { pool: { name: "orders", used: 4, max: 8, waiting: 2 }, atMs: at },
    ],
    [
      "its pools by their old names, the one with the largest share in use",
      [
        gauge("db.client.connections.usage", 30, { "pool.name": "large", state: "used" }),
        gauge("db.client.connections.max", 40, { "pool.name": "large" }),
        gauge("db.client.connections.usage", 4, { "pool.name": "small", state: "used" }),
        gauge("db.client.connections.max", 5, { "pool.name": "small" }),
      ],
      { pool: { name: "small", used: 4, max: 5, waiting: 0 } },
    ],
    ["a process without pools", [gauge("process.memory.usage", 5)], { cpu: 0, pool: null }],
  ])("of %s says its state", (_of, metrics, state) => {
    expect(read(...metrics)).toMatchObject(state);
  });

  it("is the latest one of several in one request, of each pool and space", () => {
    const later = (metric: ReturnType<typeof gauge>, ms: number) => ({
      ...metric,
      gauge: { dataPoints: metric.gauge.dataPoints.map((point) => ({ ...point, timeUnixNano: `${at + ms}000000` })) },
    });
    const space = (name: string) => ({ "v8js.heap.space.name": name });
    const merged = (...metrics: readonly ReturnType<typeof gauge>[]) => ({
      name: metrics[0]?.name,
      gauge: { dataPoints: metrics.flatMap((one) => one.gauge.dataPoints) },
    });
    const heap = (value: number, name: string) => gauge("v8js.memory.heap.used", value, space(name));
    const memory = merged(later(heap(5, "old"), 60_000), heap(3, "old"), heap(1, "new"), later(heap(2, "new"), 60_000));
    const count = (used: number) => gauge("db.client.connection.count", used, poolOf("orders", "used"));
    const pool = merged(count(3), later(count(4), 60_000));
    expect(read(memory, pool)).toMatchObject({ heap_used_bytes: 7, pool: { used: 4 }, atMs: at + 60_000 });
  });

  it("says nothing where a sum is beyond all numbers", () => {
    const pool = (name: string, asDouble: number) => ({
      ...{ timeUnixNano: `${at}000000`, asDouble, attributes: attributesOf({ pool: name }) },
    });
    const memory = { name: "process.memory.usage", gauge: { dataPoints: [pool("a", 1e308), pool("b", 1e308)] } };
    expect(read(memory, gauge("v8js.memory.heap.used", 3))).toMatchObject({ rss_bytes: 0, heap_used_bytes: 3 });
  });

  it("says nothing by other metrics, and without a time", () => {
    expect(read({ name: "process.memory.usage", gauge: { dataPoints: [{ asInt: "5" }] } })).toBeUndefined();
    expect(read(gauge("shop.orders", 5), gauge("process.memory.usage", -1))).toBeUndefined();
  });

  it("says nothing of processors where a library reports percents", () => {
    const memory = gauge("process.memory.usage", 5);
    expect(read(memory, share("process.cpu.utilization", 1.05))).toMatchObject({ cpu: 1 });
    expect(read(memory, share("process.cpu.utilization", 1.06))).toMatchObject({ cpu: 0 });
  });
});

const reading = (seconds: number, bytes = 7): ProcessReading => ({
  ...{ rss_bytes: bytes, heap_used_bytes: 0, heap_limit_bytes: 0, event_loop_delay_ms: 0, cpu: 0, pool: null },
  atMs: at + seconds * 1_000,
});

const keep = (readings: MinuteReadings, process: string, one: ProcessReading) => {
  const kept = readings.keep("org", process, one);
  if (kept === "surplus") throw new Error("within the allowance");
  return kept;
};

describe("the readings of a minute", () => {
  it("are one, the first", () => {
    const readings = new MinuteReadings(() => at);
    const kept = [reading(0, 1), reading(20, 2), reading(49, 3), reading(50, 4)].map((one) => keep(readings, "a", one));
    expect(kept.map((one) => one?.rss_bytes)).toEqual([1, undefined, undefined, 4]);
    expect(keep(readings, "b", reading(60))).toBeDefined();
  });

  it("are the same when their request is repeated, since it may not have been accepted", () => {
    const readings = new MinuteReadings(() => at);
    keep(readings, "a", reading(0));
    const kept = keep(readings, "a", reading(60));
    expect(kept).toBeDefined();
    expect(keep(readings, "a", reading(60))).toBe(kept);
    expect(keep(readings, "a", reading(30))).toBeUndefined();
  });

  it("are of 2,000 processes of an organization, without taking any from another one", () => {
    const clock = { now: at };
    const readings = new MinuteReadings(() => clock.now);
    const kept = (organizationId: string, seconds: number, count: number) =>
      Array.from({ length: count }, (_, index) => readings.keep(organizationId, `${index}`, reading(seconds)));
    expect(kept("a", 0, 2_001).indexOf("surplus")).toBe(2_000);
    expect(kept("b", 0, 1)).not.toContain("surplus");
    // What comes again costs nothing, and the next minute has an allowance of its own.
    expect(kept("a", 0, 2_000)).not.toContain("surplus");
    clock.now += 60_000;
    expect(kept("a", 60, 2_000)).not.toContain("surplus");
  });

  it("of one organization are forgotten when it has too many, and those of others remembered", () => {
    const clock = { now: at };
    const readings = new MinuteReadings(() => clock.now);
    readings.keep("quiet", "a", reading(0));
    for (let minute = 0; minute * otlpLimits.otlpReadingsPerMinuteMax <= processesMax; minute++) {
      clock.now += 60_000;
      for (let index = 0; index < otlpLimits.otlpReadingsPerMinuteMax; index++) {
        readings.keep("loud", `${minute}-${index}`, reading(0));
      }
    }
    clock.now += 60_000;
    expect(readings.keep("quiet", "a", reading(20))).toBeUndefined();
    expect(readings.keep("loud", "0-0", reading(20))).toBeDefined();
  });

  it("are given back when they couldn't be kept: the next one of the minute is", () => {
    const readings = new MinuteReadings(() => at);
    keep(readings, "a", reading(0));
    const lost = keep(readings, "a", reading(60));
    if (!lost) throw new Error("it is of another minute");
    readings.giveBack("org", { process: "a", reading: lost });
    expect(keep(readings, "a", reading(70))).toBeDefined();
    // Given back twice, or after the next one was kept, it changes nothing.
    readings.giveBack("org", { process: "a", reading: lost });
    expect(keep(readings, "a", reading(80))).toBeUndefined();
  });

  it("are given back although another export of the process came meanwhile", () => {
    const readings = new MinuteReadings(() => at);
    const lost = keep(readings, "a", reading(0));
    if (!lost) throw new Error("it is the first one");
    expect(keep(readings, "a", reading(10))).toBeUndefined();
    readings.giveBack("org", { process: "a", reading: lost });
    expect(keep(readings, "a", reading(20))).toBeDefined();
  });

  it("cost nothing of the allowance when they are given back", () => {
    const readings = new MinuteReadings(() => at);
    for (let index = 0; index <= otlpLimits.otlpReadingsPerMinuteMax; index += 1) {
      const first = keep(readings, "a", reading(index));
      if (!first) throw new Error("nothing of the process is remembered");
      readings.giveBack("org", { process: "a", reading: first });
    }
  });
});
