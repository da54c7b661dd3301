import type { ExitedProcess, ProcessExit, VitalReading } from "@whence/protocol";

export const mebibyte = 1_048_576;

/** A heartbeat of a healthy process, in that minute after 12:00. */
export const reading = (minute: number, changes: Partial<VitalReading> = {}): VitalReading => ({
  at: `2026-03-01T12:0${minute}:00.000Z`,
  ...{ rssBytes: 160 * mebibyte, heapUsedBytes: 100 * mebibyte, heapLimitBytes: 500 * mebibyte },
  ...{ memoryLimitBytes: null, eventLoopDelayMs: 3, mainThreadBlockedMs: null, requests: null, failedRequests: null },
  ...changes,
});
/** One whose heap has this many MiB of 500. */
export const heap = (minute: number, mib: number) => reading(minute, { heapUsedBytes: mib * mebibyte });
/** One of a process that has this many MiB of its container's 512. */
export const container = (minute: number, mib: number) =>
  reading(minute, { rssBytes: mib * mebibyte, memoryLimitBytes: 512 * mebibyte, heapLimitBytes: null });

/** A process of `orders` that was at 90% of its heap when it stopped. */
export const exited = (changes: Partial<ExitedProcess> = {}): ExitedProcess => ({
  ...{ instance: "i1", service: "orders", host: "h1", pid: 7, runtime: "node 26.0.0", os: "linux", release: "1" },
  ...{
    firstSeenAt: reading(0).at,
    lastSeenAt: reading(1).at,
    lastEventId: "e",
    lastSentAt: reading(1).at,
    breadcrumbs: [],
  },
  ...{ readings: [heap(0, 100), heap(1, 450)], mainThreadStack: "" },
  ...changes,
});
/** Its exit, as it was noticed. */
export const exit = (changes: Partial<ProcessExit> = {}): ProcessExit => ({
  ...{ kind: "out-of-memory", confidence: 0.8, exitAfterMs: 150_000, noticedAt: reading(5).at },
  othersReporting: null,
  processes: [exited()],
  ...changes,
});
