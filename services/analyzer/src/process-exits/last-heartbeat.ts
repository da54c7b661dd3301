import { type ExitedProcess, hourMs, type VitalReading } from "@whence/protocol";
import type { ProcessLife, ScopedEvents, StoredEvent } from "@whence/storage";
import { z } from "zod";
import { lastActions } from "./last-breadcrumbs.ts";

/** How far around its last telemetry a process's events are searched: its clock may differ from ours. */
const beforeMs = 2 * hourMs;
const afterMs = hourMs;
const heartbeatsMax = 20;
/** Events besides heartbeats that are read: each carries breadcrumbs from before it. */
const failuresMax = 10;

const count = z.number().min(0).nullable().catch(null).default(null);
/** The figures that a heartbeat may carry; anything else is ignored. */
const vitalsSchema = z.object({
  rss_bytes: count,
  heap_used_bytes: count,
  heap_limit_bytes: count,
  memory_limit_bytes: count,
  event_loop_delay_ms: count,
  main_thread_blocked_ms: count,
  requests: count,
  failed_requests: count,
  main_thread_stack: z.string().catch("").default(""),
});

/** The last telemetry of a process, and whether it includes the reason for its exit. */
export interface LastHeartbeat {
  readonly process: ExitedProcess;
  /** It reported the exception that ended it. */
  readonly reportedItsEnd: boolean;
}

/** Reads the heartbeats and other events of a process, and whether it reported a fatal exception. */
export async function readLastHeartbeat(events: ScopedEvents, life: ProcessLife): Promise<LastHeartbeat> {
  const lastMs = Date.parse(life.lastSeenAt);
  const around = {
    instance: life.instance,
    service: life.service,
    from: new Date(lastMs - beforeMs).toISOString(),
    to: new Date(lastMs + afterMs).toISOString(),
  };
  const [heartbeats, fatal, others] = await Promise.all([
    events.find({ ...around, types: ["heartbeat"], limit: heartbeatsMax }),
    events.find({ ...around, types: ["exception"], levels: ["critical"], limit: heartbeatsMax }),
    events.find({ ...around, types: ["exception", "log"], limit: failuresMax }),
  ]);
  const process = exitedProcess(life, heartbeats.toReversed(), others);
  return { process, reportedItsEnd: fatal.some(({ event }) => !event.mechanism.handled) };
}

/** `heartbeats` oldest first; `others` newest first. */
function exitedProcess(
  life: ProcessLife,
  heartbeats: readonly StoredEvent[],
  others: readonly StoredEvent[],
): ExitedProcess {
  // A client without heartbeats identifies its process in its failures.
  const last = heartbeats.at(-1) ?? others[0];
  const all = [...heartbeats, ...others];
  const times = all.map(({ event }) => event.timestamp).toSorted((left, right) => Date.parse(left) - Date.parse(right));
  return {
    instance: life.instance,
    service: life.service,
    host: life.host,
    pid: last?.host.pid ?? 0,
    runtime: last ? `${last.host.runtime.name} ${last.host.runtime.version}` : "",
    os: last?.host.os ?? "",
    release: last?.release ?? "",
    firstSeenAt: life.firstSeenAt,
    lastSeenAt: life.lastSeenAt,
    lastEventId: last?.event.id ?? "",
    lastSentAt: times.at(-1) ?? "",
    readings: heartbeats.map(toReading),
    breadcrumbs: lastActions(all),
    mainThreadStack: vitalsSchema.parse(heartbeats.at(-1)?.event.attributes ?? {}).main_thread_stack,
  };
}

function toReading({ event }: StoredEvent): VitalReading {
  const vitals = vitalsSchema.parse(event.attributes ?? {});
  return {
    at: event.timestamp,
    rssBytes: vitals.rss_bytes,
    heapUsedBytes: vitals.heap_used_bytes,
    heapLimitBytes: vitals.heap_limit_bytes,
    memoryLimitBytes: vitals.memory_limit_bytes,
    eventLoopDelayMs: vitals.event_loop_delay_ms,
    mainThreadBlockedMs: vitals.main_thread_blocked_ms,
    requests: vitals.requests,
    failedRequests: vitals.failed_requests,
  };
}

/** Returns how long the main thread had been blocked at this heartbeat; 0 when it wasn't. */
export function blockedMs({ event }: Pick<StoredEvent, "event">): number {
  return vitalsSchema.parse(event.attributes ?? {}).main_thread_blocked_ms ?? 0;
}
