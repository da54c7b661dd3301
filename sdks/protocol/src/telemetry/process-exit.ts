import { z } from "zod";
import { processExitKinds } from "../incidents/incident.ts";

const readingSchema = z.object({
  at: z.string(),
  rssBytes: z.number().nullable(),
  heapUsedBytes: z.number().nullable(),
  heapLimitBytes: z.number().nullable(),
  /** What the container may use. */
  memoryLimitBytes: z.number().nullable(),
  eventLoopDelayMs: z.number().nullable(),
  mainThreadBlockedMs: z.number().nullable(),
  /** Answered since the heartbeat before, and those with 500 and above; null: not counted. */
  requests: z.number().nullable(),
  failedRequests: z.number().nullable(),
});
/** One heartbeat: how the process said it was. */
export type VitalReading = z.infer<typeof readingSchema>;

const breadcrumbSchema = z.object({ at: z.string(), category: z.string(), message: z.string() });

const silencedProcessSchema = z.object({
  instance: z.string(),
  service: z.string(),
  host: z.string(),
  pid: z.number(),
  runtime: z.string(),
  os: z.string(),
  release: z.string(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** Its last event, and when that was by the process's own clock; empty when unknown. */
  lastEventId: z.string(),
  lastSentAt: z.string(),
  /** Oldest first. */
  readings: z.array(readingSchema),
  /** What it did last, and the failures that it reported, oldest first. */
  breadcrumbs: z.array(breadcrumbSchema),
  /** The stack of the main thread while it was blocked, as the runtime prints it; empty when unknown. */
  mainThreadStack: z.string(),
});
/** A process that stopped reporting, and what it reported last. */
export type SilencedProcess = z.infer<typeof silencedProcessSchema>;

/** Of {@link ProcessExit}. */
export const processExitSchema = z.object({
  kind: z.enum(processExitKinds),
  /** How sure `kind` is, 0 to 1, before anything else is known. */
  confidence: z.number().min(0).max(1),
  /** How long a process may be silent. */
  silentAfterMs: z.number(),
  noticedAt: z.string(),
  /** Other processes of these services that still reported while these were silent; null when they weren't counted. */
  othersReporting: z.number().nullable(),
  /** At least one; the first to stop reporting comes first. */
  processes: z.array(silencedProcessSchema).min(1),
});
/** Processes that ended without a report, or hang: noticed together, apparently for one reason. */
export type ProcessExit = z.infer<typeof processExitSchema>;

/**
 * Whether one service's processes stopped reporting one after the other, each started after the one before. A service that runs
 * a single process lists every round, the first one first.
 */
export function isCrashLoop({ kind, processes }: Pick<ProcessExit, "kind" | "processes">): boolean {
  return processes.length > 1 && kind !== "host-lost" && kind !== "everything-silent";
}
