import { loadWhenNeeded } from "./load-when-needed.ts";

/** How the process is, as a heartbeat tells it. */
export interface Vitals {
  readonly rss_bytes: number;
  readonly heap_used_bytes: number;
  readonly heap_limit_bytes: number;
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

/** Watches the process between heartbeats. */
export class VitalsMonitor {
  #delay: ReturnType<typeof import("node:perf_hooks").monitorEventLoopDelay> | undefined;

  /** Begins to watch the event loop, unless it does. Not at the start of a program: that is no delay of its service. */
  watch(): void {
    if (this.#delay) return;
    const { monitorEventLoopDelay }: typeof import("node:perf_hooks") = loadWhenNeeded("node:perf_hooks");
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
  }

  stop(): void {
    this.#delay?.disable();
  }

  /** How the process is now; a new interval begins. */
  async read(internalErrors: number, spoolErrors?: number): Promise<Vitals> {
    const { getHeapStatistics } = await import("node:v8");
    const p99 = (this.#delay?.percentile(99) ?? 0) / nanosecondsPerMs - resolutionMs;
    this.#delay?.reset();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      rss_bytes: rss,
      heap_used_bytes: heapUsed,
      heap_limit_bytes: getHeapStatistics().heap_size_limit,
      event_loop_delay_ms: Number(Math.max(0, p99).toFixed(2)),
      uptime_seconds: Math.round(process.uptime()),
      internal_errors: internalErrors,
      ...(spoolErrors === undefined ? {} : { spool_errors: spoolErrors }),
    };
  }
}
