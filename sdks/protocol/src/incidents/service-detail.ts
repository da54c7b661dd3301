import { z } from "zod";
import { dayMs, hourMs, minuteMs } from "../durations.ts";
import { timestampSchema } from "../text.ts";
import { incidentSchema } from "./incident.ts";

/** How far back a service is shown, and the length of the steps in which it is counted. */
export const serviceSpans = {
  "1h": { ms: hourMs, stepMs: minuteMs },
  "24h": { ms: dayMs, stepMs: 10 * minuteMs },
  "7d": { ms: 7 * dayMs, stepMs: hourMs },
  "30d": { ms: 30 * dayMs, stepMs: 4 * hourMs },
} as const;
export const serviceSpanNames = ["1h", "24h", "7d", "30d"] as const;
export type ServiceSpanName = (typeof serviceSpanNames)[number];

const count = z.int().min(0);
/** Of requests that its processes report to have answered: null where they report none. */
const answered = { requests: count.nullable(), failed_requests: count.nullable() };

/**
 * Of sessions, uses of an application from start to end, that its clients report: null where they report none. Exact for
 * some thousand, and within about 1% for more; crashed and unhandled together are, too.
 */
const sessions = {
  sessions: count.nullable(),
  crashed_sessions: count.nullable(),
  /** Those that went on after an error that nothing caught. */
  unhandled_sessions: count.nullable(),
};

/**
 * How a process is: it reported in the last two and a half minutes; it reported its shutdown; it reported the exception
 * that ended it; or it stopped reporting without either.
 */
export const processStates = ["live", "shut-down", "crashed", "silent"] as const;
export type ProcessState = (typeof processStates)[number];

const serviceProcessSchema = z.object({
  instance: z.string(),
  host: z.string(),
  release: z.string().nullable(),
  state: z.enum(processStates),
  started_at: timestampSchema,
  last_seen_at: timestampSchema,
});
export type ServiceProcess = z.infer<typeof serviceProcessSchema>;

const serviceReleaseSchema = z.object({
  /** Null for what named none. */
  release: z.string().nullable(),
  /** When one of its processes started or was first seen; null when that is no longer kept. */
  since: timestampSchema.nullable(),
  live_processes: count,
  /** Failing events in the span. */
  failures: count,
  ...answered,
  ...sessions,
});
export type ServiceRelease = z.infer<typeof serviceReleaseSchema>;

/** The answer of `GET /api/services/{service}`: how a service did over a span, in one environment. */
export const serviceDetailSchema = z.object({
  service: z.string(),
  env: z.string(),
  /** Every environment that it has reported in, the most recently seen first. */
  envs: z.array(z.string()),
  last_seen_at: timestampSchema,
  /** The span in full steps; `to` is exclusive. It begins later than asked for when less is kept. */
  from: timestampSchema,
  to: timestampSchema,
  step_seconds: z.int().min(1),
  /** For how many days telemetry is kept. */
  retention_days: z.int().min(1),
  failures: count,
  ...answered,
  ...sessions,
  /** The first hour whose sessions are counted: later than `from` when too many releases ran; null without sessions. */
  sessions_from: timestampSchema.nullable(),
  /** Hours in which sessions began, the oldest first; hours without any are left out. */
  session_hours: z.array(z.object({ hour: timestampSchema, sessions: count, crashed: count, unhandled: count })),
  /** Steps without failures and heartbeats are left out. */
  course: z.array(
    z.object({
      at: timestampSchema,
      failures: count,
      ...answered,
      processes: count,
      /** Of the process with the most memory, and of the one with the longest event-loop delay. */
      memory_bytes: z.number().min(0).nullable(),
      event_loop_delay_ms: z.number().min(0).nullable(),
    }),
  ),
  deploys: z.array(z.object({ at: timestampSchema, release: z.string(), text: z.string() })),
  /** Processes that started on a host where one of the same release had ended. */
  restarts: count,
  /** The most recently seen first. */
  processes: z.array(serviceProcessSchema),
  /** Whether there were more processes than are listed: then `restarts` counts those of the listed ones. */
  has_more_processes: z.boolean(),
  /** The latest first. */
  releases: z.array(serviceReleaseSchema),
  /**
   * The calls to other hosts that its latest events and heartbeats recorded, a sample; `slow_ms` is the 95th
   * percentile. Both durations are null when no call recorded its own.
   */
  calls: z.array(
    z.object({
      host: z.string(),
      calls: count,
      failed: count,
      median_ms: z.number().min(0).nullable(),
      slow_ms: z.number().min(0).nullable(),
    }),
  ),
  /** Open incidents of the service in this environment, newest first; at most 20. */
  incidents: z.array(
    incidentSchema.pick({ id: true, title: true, severity: true, created_at: true, occurrences: true }),
  ),
});
export type ServiceDetail = z.infer<typeof serviceDetailSchema>;
