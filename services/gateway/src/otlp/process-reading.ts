import type { KeptReading } from "../telemetry/batch-message.ts";
import { fullestPool, isOfPool } from "./fullest-pool.ts";
import { latestPoints } from "./latest-points.ts";
import type { Metric } from "./requests.ts";

/** What one export of a process says of its state. */
export interface ProcessReading extends Omit<KeptReading, "at"> {
  /** When it was measured, in milliseconds since 1970. */
  readonly atMs: number;
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
/** Go's runtime says this when it has no limit. */
const limitMax = 2 ** 50;
/** All of the processors, and what rounding may add; above it, some libraries report percents. */
const cpuMax = 1.05;

/** Returns what the metrics of a process say of its state; undefined when they say nothing that is kept. */
export function processReading(metrics: readonly Metric[]): ProcessReading | undefined {
  const gauges = { rss_bytes: 0, heap_used_bytes: 0, heap_limit_bytes: 0, event_loop_delay_ms: 0, cpu: 0 };
  let atMs = 0;
  for (const metric of metrics) {
    for (const source of sources.filter((one) => one.metric === metric.name)) {
      // Memory is reported by pool or space: all of them together.
      for (const { attributes, asInt, asDouble, timeUnixNano } of latestPoints(metric)) {
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
  const pool = fullestPool(metrics);
  if (!pool && Object.values(gauges).every((value) => value === 0)) return undefined;
  const latestMs = Math.max(atMs, pool?.atMs ?? 0);
  return latestMs === 0 ? undefined : { ...gauges, pool: pool?.pool ?? null, atMs: latestMs };
}

/** Whether a metric is one of those that are read. */
export function isRead({ name }: Metric): boolean {
  return isOfPool(name) || sources.some(({ metric }) => metric === name);
}

function usable(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
