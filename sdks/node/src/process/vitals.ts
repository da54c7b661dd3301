import { loadBuiltin } from "../runtime/load-builtin.ts";

/** Memory, event loop delay and uptime, as a heartbeat carries them. */
export interface Vitals {
  readonly rss_bytes: number;
  readonly heap_used_bytes: number;
  /** What lives on may hold so much: V8 aborts at it. */
  readonly heap_limit_bytes: number;
  /** What the container may use; absent where nothing bounds it, or Node can't tell. */
  readonly memory_limit_bytes?: number;
  /** 99th percentile since the last heartbeat. */
  readonly event_loop_delay_ms: number;
  readonly uptime_seconds: number;
  /** Failures of the client's own code since it started; 0 in a world without bugs. */
  readonly internal_errors: number;
  /** How often the spool's disk could not be used; absent without a spool. */
  readonly spool_errors?: number;
}

/** The histogram counts from one tick of its own timer to the next, so this much of what it says is no delay. */
const resolutionMs = 50;
const nanosecondsPerMs = 1_000_000;
/** A heap that is so full, and grew by so much of its limit since the last heartbeat, may not live until the next. */
const heapFilling = 0.7;
const heapStep = 0.1;
/**
 * V8's limit counts the young generation too, which what lives on cannot use: three semi-spaces of 16 MiB up to Node 22,
 * 64 MiB in 24, 32 MiB since (measured with `--max-old-space-size`).
 */
const youngMebibytes: Readonly<Record<number, number>> = { 18: 48, 20: 48, 22: 48, 24: 192 };
const youngMebibytesSince = 96;
/** What cgroups say where there is no limit. */
const noLimitBytes = 2 ** 50;
const bytesPerMebibyte = 1_048_576;

/** Watches the process between heartbeats. */
export class VitalsMonitor {
  #heapAtHeartbeat = 0;
  #delay: ReturnType<typeof import("node:perf_hooks").monitorEventLoopDelay> | undefined;

  /** Begins to watch the event loop, unless it does. Not at the start of a program: that is no delay of its service. */
  watch(): void {
    if (this.#delay) return;
    const { monitorEventLoopDelay }: typeof import("node:perf_hooks") = loadBuiltin("node:perf_hooks");
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
  }

  stop(): void {
    this.#delay?.disable();
  }

  /** Whether the heap fills so fast that it is worth a heartbeat out of turn: it may be the last one. */
  isFilling(): boolean {
    const { getHeapStatistics }: typeof import("node:v8") = loadBuiltin("node:v8");
    const { used_heap_size: used, heap_size_limit: all } = getHeapStatistics();
    const limit = oldLimit(all);
    return used >= heapFilling * limit && used - this.#heapAtHeartbeat >= heapStep * limit;
  }

  /** How the process is now; a new interval begins. */
  read(internalErrors: number, spoolErrors?: number): Vitals {
    const { getHeapStatistics }: typeof import("node:v8") = loadBuiltin("node:v8");
    const p99 = (this.#delay?.percentile(99) ?? 0) / nanosecondsPerMs - resolutionMs;
    this.#delay?.reset();
    const { rss, heapUsed } = process.memoryUsage();
    this.#heapAtHeartbeat = heapUsed;
    // Not before Node 18.15.
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
