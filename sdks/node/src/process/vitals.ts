import { loadBuiltin } from "../runtime/load-builtin.ts";

/** Memory, event loop delay, and uptime in a heartbeat. */
export interface Vitals {
  readonly rss_bytes: number;
  readonly heap_used_bytes: number;
  /** The heap limit, at which V8 aborts. */
  readonly heap_limit_bytes: number;
  /** The container's memory limit; absent without one, or when Node can't tell. */
  readonly memory_limit_bytes?: number;
  /** The 99th percentile since the last heartbeat. */
  readonly event_loop_delay_ms: number;
  readonly uptime_seconds: number;
  /** Failures of the client's own code since it started. */
  readonly internal_errors: number;
  /** The number of the spool's disk failures; absent without a spool. */
  readonly spool_errors?: number;
}

/** The histogram measures from one tick of its own timer to the next, so this much of each value isn't delay. */
const resolutionMs = 50;
const nanosecondsPerMs = 1_000_000;
/** A heap this full, which grew by this share of its limit since the last heartbeat, may overflow before the next. */
const heapFilling = 0.7;
const heapStep = 0.1;
/**
 * V8's limit includes the young generation, which long-lived objects can't use: three semi-spaces of 16 MiB up to Node
 * 22, 64 MiB in 24, 32 MiB since (measured with `--max-old-space-size`).
 */
const youngMebibytes: Readonly<Record<number, number>> = { 18: 48, 20: 48, 22: 48, 24: 192 };
const youngMebibytesSince = 96;
/** The value in cgroups when there is no limit is above this. */
const noLimitBytes = 2 ** 50;
const bytesPerMebibyte = 1_048_576;

/** Monitors the process between heartbeats. */
export class VitalsMonitor {
  #heapAtHeartbeat = 0;
  #delay: ReturnType<typeof import("node:perf_hooks").monitorEventLoopDelay> | undefined;

  /** Starts monitoring the event loop, if it hasn't. Not at startup, whose delay isn't that of the service. */
  watch(): void {
    if (this.#delay) return;
    const { monitorEventLoopDelay }: typeof import("node:perf_hooks") = loadBuiltin("node:perf_hooks");
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
  }

  stop(): void {
    this.#delay?.disable();
  }

  /** Whether the heap fills so fast that an early heartbeat is worthwhile: it may be the last one. */
  isFilling(): boolean {
    const { getHeapStatistics }: typeof import("node:v8") = loadBuiltin("node:v8");
    const { used_heap_size: used, heap_size_limit: all } = getHeapStatistics();
    const limit = oldLimit(all);
    return used >= heapFilling * limit && used - this.#heapAtHeartbeat >= heapStep * limit;
  }

  /** Returns the current vitals and starts a new interval. */
  read(internalErrors: number, spoolErrors?: number): Vitals {
    const { getHeapStatistics }: typeof import("node:v8") = loadBuiltin("node:v8");
    const p99 = (this.#delay?.percentile(99) ?? 0) / nanosecondsPerMs - resolutionMs;
    this.#delay?.reset();
    const { rss, heapUsed } = process.memoryUsage();
    this.#heapAtHeartbeat = heapUsed;
    // Not available before Node 18.15.
    const limit = process.constrainedMemory?.() ?? 0;
    return {
      rss_bytes: rss,
      heap_used_bytes: heapUsed,
      heap_limit_bytes: oldLimit(getHeapStatistics().heap_size_limit),
      ...(limit > 0 && limit < noLimitBytes ? { memory_limit_bytes: limit } : {}),
      event_loop_delay_ms: Number(Math.max(0, p99).toFixed(2)),
      uptime_seconds: Math.round(process.uptime()),
      internal_errors: internalErrors,
      ...(spoolErrors === undefined ? {} : { spool_errors: spoolErrors }),
    };
  }
}

function oldLimit(limitBytes: number): number {
  const major = Number.parseInt(process.versions.node, 10);
  return limitBytes - (youngMebibytes[major] ?? youngMebibytesSince) * bytesPerMebibyte;
}
