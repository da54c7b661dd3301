import { z } from "zod";
import { processExitKinds } from "../incidents/incident.ts";

export const vitalReadingSchema = z.object({
  at: z.string(),
  rssBytes: z.number().nullable(),
  heapUsedBytes: z.number().nullable(),
  heapLimitBytes: z.number().nullable(),
  /** The container's memory limit. */
  memoryLimitBytes: z.number().nullable(),
  eventLoopDelayMs: z.number().nullable(),
  mainThreadBlockedMs: z.number().nullable(),
  /** Requests answered since the previous heartbeat, and those answered with 500 or above; null when not counted. */
  requests: z.number().nullable(),
  failedRequests: z.number().nullable(),
});
/** The readings of one heartbeat. */
export type VitalReading = z.infer<typeof vitalReadingSchema>;

const breadcrumbSchema = z.object({ at: z.string(), category: z.string(), message: z.string() });

const exitedProcessSchema = z.object({
  instance: z.string(),
  service: z.string(),
  host: z.string(),
  pid: z.number(),
  runtime: z.string(),
  os: z.string(),
  release: z.string(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** The id of its last event, and that event's time by the process's own clock; empty when unknown. */
  lastEventId: z.string(),
  lastSentAt: z.string(),
  /** Oldest first. */
  readings: z.array(vitalReadingSchema),
  /** Its last activity and the failures that it reported, oldest first. */
  breadcrumbs: z.array(breadcrumbSchema),
  /** The main thread's stack while it was blocked, as the runtime prints it; empty when unknown. */
  mainThreadStack: z.string(),
});
/** A process that stopped reporting, and what it reported last. */
export type ExitedProcess = z.infer<typeof exitedProcessSchema>;

/** The schema of {@link ProcessExit}. */
export const processExitSchema = z.object({
  kind: z.enum(processExitKinds),
  /** The confidence in `kind`, 0 to 1, before other evidence. */
  confidence: z.number().min(0).max(1),
  /** How long a process may be silent before it counts as gone. */
  exitAfterMs: z.number(),
  noticedAt: z.string(),
  /** Other processes of these services that reported while these were silent; null when not counted. */
  othersReporting: z.number().nullable(),
  /** At least one; the first to stop reporting comes first. */
  processes: z.array(exitedProcessSchema).min(1),
});
/** Processes that exited without a report, or hang, noticed together and apparently for one reason. */
export type ProcessExit = z.infer<typeof processExitSchema>;

/**
 * Whether one service's processes stopped reporting one after another, each started after the previous one. A service
 * that runs a single process lists every round, the first one first.
 */
export function isCrashLoop({ kind, processes }: Pick<ProcessExit, "kind" | "processes">): boolean {
  return processes.length > 1 && kind !== "host-lost" && kind !== "everything-lost";
}
