import type { KeptReading } from "../telemetry/batch-message.ts";
import type { Attributes } from "./any-value.ts";
import { fullestPool, isOfPool } from "./fullest-pool.ts";
import type { Metric } from "./requests.ts";

/** What one export of a process says of its state. */
export interface ProcessReading extends Omit<KeptReading, "at" | "requests" | "failed_requests"> {
  /** When it was measured, in milliseconds since 1970. */
  readonly atMs: number;
  /** Requests that it answered; null when it counts none. */
  readonly answered: Answered | null;
}

/** Requests that a process answered, and those of them that it answered with 500 or above. */
export interface Answered {
  /** Since the process started counting, or since its last export. */
  readonly since: "start" | "export";
  readonly requests: number;
  readonly failed: number;
}

type Gauge = "rss_bytes" | "heap_used_bytes" | "heap_limit_bytes" | "event_loop_delay_ms" | "cpu";

interface Source {
  readonly metric: string;
  readonly gauge: Gauge;
  /** Only points with this attribute count. */
  readonly only?: readonly [name: string, value: string];
  /** To our unit. */
  readonly factor?: number;
}

/** Metrics of the semantic conventions, and of the instrumentation libraries of runtimes, that are read. */
const sources: readonly Source[] = [
  { metric: "process.memory.usage", gauge: "rss_bytes" },
  { metric: "process.runtime.cpython.memory", gauge: "rss_bytes", only: ["type", "rss"] },
  { metric: "dotnet.process.memory.working_set", gauge: "rss_bytes" },
  { metric: "go.memory.used", gauge: "heap_used_bytes" },
  { metric: "go.memory.limit", gauge: "heap_limit_bytes" },
  { metric: "v8js.memory.heap.used", gauge: "heap_used_bytes" },
  { metric: "v8js.memory.heap.limit", gauge: "heap_limit_bytes" },
  { metric: "jvm.memory.used", gauge: "heap_used_bytes", only: ["jvm.memory.type", "heap"] },
  { metric: "jvm.memory.limit", gauge: "heap_limit_bytes", only: ["jvm.memory.type", "heap"] },
  { metric: "nodejs.eventloop.delay.p99", gauge: "event_loop_delay_ms", factor: 1_000 },
  { metric: "process.cpu.utilization", gauge: "cpu" },
  { metric: "jvm.cpu.recent_utilization", gauge: "cpu" },
];
const requestMetrics: ReadonlySet<string> = new Set(["http.server.request.duration", "http.server.duration"]);
const statusAttributes = ["http.response.status_code", "http.status_code"];
const failedFrom = 500;
/** `AggregationTemporality`: counts since the last export. */
const delta = 1;
/** Go's runtime says this when it has no limit. */
const limitMax = 2 ** 50;
/** All of the processors, and what rounding may add; above it, some libraries report percents. */
const cpuMax = 1.05;

/** Returns what the metrics of a process say of its state; undefined when they say nothing that is kept. */
export function processReading(metrics: readonly Metric[]): ProcessReading | undefined {
  const gauges = { rss_bytes: 0, heap_used_bytes: 0, heap_limit_bytes: 0, event_loop_delay_ms: 0, cpu: 0 };
  let atMs = 0;
  for (const { name, gauge, sum } of metrics) {
    for (const source of sources.filter(({ metric }) => metric === name)) {
      // Memory is reported by pool or space: all of them together.
      for (const { attributes, asInt, asDouble, timeUnixNano } of (gauge ?? sum)?.dataPoints ?? []) {
        if (source.only && attributes.get(source.only[0]) !== source.only[1]) continue;
        gauges[source.gauge] += usable(asInt ?? asDouble) * (source.factor ?? 1);
        atMs = Math.max(atMs, timeUnixNano);
      }
    }
  }
  if (gauges.heap_limit_bytes > limitMax) gauges.heap_limit_bytes = 0;
  gauges.cpu = gauges.cpu > cpuMax ? 0 : Math.min(gauges.cpu, 1);
  // The sum of numbers can be infinite.
  for (const { gauge } of sources) gauges[gauge] = usable(gauges[gauge]);
  const answered = answeredIn(metrics);
  const pool = fullestPool(metrics);
  if (!answered && !pool && Object.values(gauges).every((value) => value === 0)) return undefined;
  const latestMs = Math.max(atMs, answered?.atMs ?? 0, pool?.atMs ?? 0);
  if (latestMs === 0) return undefined;
  return { ...gauges, pool: pool?.pool ?? null, atMs: latestMs, answered: answered?.answered ?? null };
}

/** Whether a metric is one of those that are read. */
export function isRead({ name }: Metric): boolean {
  return requestMetrics.has(name) || isOfPool(name) || sources.some(({ metric }) => metric === name);
}

function usable(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}

function answeredIn(metrics: readonly Metric[]): { readonly answered: Answered; readonly atMs: number } | undefined {
  const measured = metrics
    .filter(({ name }) => requestMetrics.has(name))
    .flatMap(({ histogram, exponentialHistogram }) => histogram ?? exponentialHistogram ?? []);
  const points = measured.flatMap(({ dataPoints }) => dataPoints);
  if (points.length === 0) return undefined;
  const countOf = (some: typeof points): number => some.reduce((sum, { count }) => sum + count, 0);
  return {
    atMs: points.reduce((latest, { timeUnixNano }) => Math.max(latest, timeUnixNano), 0),
    answered: {
      since: measured.every(({ aggregationTemporality }) => aggregationTemporality === delta) ? "export" : "start",
      requests: countOf(points),
      failed: countOf(points.filter(({ attributes }) => statusOf(attributes) >= failedFrom)),
    },
  };
}

function statusOf(attributes: Attributes): number {
  return Number(statusAttributes.map((name) => attributes.get(name)).find((status) => status !== undefined) ?? 0);
}
