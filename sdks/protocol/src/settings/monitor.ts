import { z } from "zod";
import { severities } from "../incidents/incident.ts";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { personSchema } from "./settings.ts";

/** The limits of monitors, apart from {@link limits}, whose object is part of each telemetry client. */
export const monitorLimits = {
  /** Monitors per organization. Each is checked once a minute at most, so this also bounds the checks of a minute. */
  monitorsMax: 50,
  monitorNameLengthMax: 100,
  monitorUrlLengthMax: 2_000,
  monitorBodyTextLengthMax: 200,
  /** Bytes of an answer that are searched for a text. */
  monitorAnswerBytesMax: 262_144,
  monitorIntervalMinutesMax: 1_440,
  monitorTimeoutSecondsMax: 30,
  /** Failed checks in a row after which a monitor alerts, at most. */
  monitorAlertAfterMax: 60,
  /** The longest window of a threshold. */
  monitorWindowMinutesMax: 60,
  /** The longest time between two runs of a job, and the longest grace and run. */
  monitorScheduleMinutesMax: 44_640,
  /** Results kept of each monitor, the newest. */
  monitorResultsMax: 100,
  /** Checks that one person starts by hand in a minute. */
  monitorTestsPerMinute: 10,
} as const;

const oneLine = z
  .string()
  .trim()
  .min(1)
  .regex(/^\P{Cc}*$/u, "it must be one line");
const minutes = (max: number) => z.int().min(1).max(max);
const scheduleMinutes = minutes(monitorLimits.monitorScheduleMinutesMax);
const statusSchema = z.int().min(100).max(599);
const statusesMax = 20;
const certificateDaysMax = 90;
const crontabLengthMax = 100;
const timeZoneLengthMax = 60;

/** An HTTP URL without credentials. */
const monitoredUrlSchema = z
  .string()
  .trim()
  .max(monitorLimits.monitorUrlLengthMax)
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  }, "it must be an http or https URL without a user and password");

const uptimeSchema = z.object({
  kind: z.literal("uptime"),
  url: monitoredUrlSchema,
  method: z.enum(["GET", "HEAD"]).default("GET"),
  interval_minutes: minutes(monitorLimits.monitorIntervalMinutesMax).default(1),
  timeout_seconds: z.int().min(1).max(monitorLimits.monitorTimeoutSecondsMax).default(10),
  /** The statuses that pass; empty: any from 200 to 299. */
  statuses: z.array(statusSchema).max(statusesMax).default([]),
  /** A text that the body must contain; null for any body. */
  body_contains: oneLine.max(monitorLimits.monitorBodyTextLengthMax).nullable().default(null),
  /** Fails when the certificate expires within this many days; 0 ignores it. */
  certificate_days: z.int().min(0).max(certificateDaysMax).default(7),
});

/** What a threshold compares, each with its unit. */
export const monitorMetrics = ["failures", "failed-requests", "memory", "event-loop-delay", "processes"] as const;
export type MonitorMetric = (typeof monitorMetrics)[number];

const thresholdSchema = z.object({
  kind: z.literal("threshold"),
  /**
   * `failures`: per minute. `failed-requests`: percent of all requests, of services that report them. `memory`: MB of the
   * largest process. `event-loop-delay`: ms, of the slowest process. `processes`: those that send heartbeats.
   */
  metric: z.enum(monitorMetrics),
  condition: z.enum(["above", "below"]).default("above"),
  value: z.number().min(0).max(1e9),
  /** The value at which it recovers, on the other side of `value`; null: `value` itself. */
  recovery: z.number().min(0).max(1e9).nullable().default(null),
  /** The minutes that each check looks at. */
  window_minutes: minutes(monitorLimits.monitorWindowMinutesMax).default(5),
});

const scheduleSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("crontab"),
    /** Five fields: minute, hour, day of the month, month, day of the week. */
    crontab: oneLine.max(crontabLengthMax),
    /** An IANA name. */
    time_zone: oneLine.max(timeZoneLengthMax).default("UTC"),
  }),
  z.object({ type: z.literal("interval"), minutes: scheduleMinutes }),
]);
export type MonitorSchedule = z.infer<typeof scheduleSchema>;

/** The settings of a check-in monitor. */
export const checkInCheckSchema = z.object({
  kind: z.literal("check-in"),
  /** Names the job in the address of its check-ins. */
  slug: z
    .string()
    .trim()
    .max(monitorLimits.monitorNameLengthMax)
    .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, "use lowercase letters, digits, and single - _ . between them"),
  schedule: scheduleSchema,
  /** How late a run may report. */
  grace_minutes: scheduleMinutes.default(5),
  /** How long a run may take from `in_progress` on; null: any time. */
  max_runtime_minutes: scheduleMinutes.nullable().default(null),
});

/** What a monitor checks. */
export const monitorCheckSchema = z.discriminatedUnion("kind", [uptimeSchema, thresholdSchema, checkInCheckSchema]);
export type MonitorCheck = z.infer<typeof monitorCheckSchema>;
export type MonitorKindName = MonitorCheck["kind"];
export type UptimeCheck = z.infer<typeof uptimeSchema>;
export type ThresholdCheck = z.infer<typeof thresholdSchema>;
export type CheckInCheck = z.infer<typeof checkInCheckSchema>;

/** The kinds of monitors, in the order in which a form shows them. */
export const monitorKinds: readonly MonitorKindName[] = ["uptime", "threshold", "check-in"];

const nameOfTelemetry = oneLine.max(limits.serviceLengthMax).nullable().default(null);

/** The body of `POST /api/monitors` and of `PUT /api/monitors/{id}`, which replaces a monitor of the same kind. */
export const monitorChangeSchema = z
  .object({
    name: oneLine.max(monitorLimits.monitorNameLengthMax),
    severity: z.enum(severities).default("high"),
    /** The service and environment that its alerts are about, as telemetry names them. */
    service: nameOfTelemetry,
    env: nameOfTelemetry,
    /** How many checks fail in a row before it alerts. */
    alert_after: z.int().min(1).max(monitorLimits.monitorAlertAfterMax).default(1),
    check: monitorCheckSchema,
  })
  .superRefine(({ service, check }, { addIssue }) => {
    const refuse = (path: string[], message: string) => addIssue({ code: "custom", path, message });
    if (check.kind === "uptime" && check.method === "HEAD" && check.body_contains !== null) {
      refuse(["check", "body_contains"], "an answer to HEAD has no body: use GET");
    }
    if (check.kind !== "threshold") return;
    if (service === null) refuse(["service"], "a threshold needs the service that it watches");
    const { condition, value, recovery } = check;
    if (recovery !== null && (condition === "above" ? recovery > value : recovery < value)) {
      refuse(["check", "recovery"], `it must not be ${condition} the value that alerts`);
    }
  });
export type MonitorChange = z.infer<typeof monitorChangeSchema>;

/**
 * The outcome of one check. `started`: a job reported the beginning of a run. `not-checked`: the check says nothing about
 * what it watches, with the reason; it neither alerts nor recovers.
 */
export const monitorOutcomes = ["passed", "failed", "started", "not-checked"] as const;

export const monitorResultSchema = z.object({
  at: timestampSchema,
  outcome: z.enum(monitorOutcomes),
  /** What was found, in words. */
  reason: z.string(),
  /** Of the request, or of the job's run; null when unknown. */
  duration_ms: z.int().min(0).nullable(),
  /** Of the threshold's metric; null for other kinds. */
  value: z.number().nullable(),
});
export type MonitorResult = z.infer<typeof monitorResultSchema>;

/** `waiting`: no check says anything yet. `failing`: checks fail, not often enough in a row to alert. */
export const monitorStates = ["waiting", "passing", "failing", "alerting", "paused"] as const;
export type MonitorState = (typeof monitorStates)[number];

/** A monitor as its organization sees it. */
export const monitorSchema = z.object({
  id: z.string(),
  name: z.string(),
  severity: z.enum(severities),
  service: z.string().nullable(),
  env: z.string().nullable(),
  alert_after: z.int(),
  check: monitorCheckSchema,
  state: z.enum(monitorStates),
  /** The start of the current run of failed checks; null while they pass. */
  failing_since: timestampSchema.nullable(),
  /** The incident of its latest alert; null when it never alerted. */
  incident_id: z.string().nullable(),
  /** Why its alert opened no incident yet; null when it did. */
  withheld: z.string().nullable(),
  last_result: monitorResultSchema.nullable(),
  /** Null while it is paused. For a check-in: when the next run counts as missed, or as too long. */
  next_check_at: timestampSchema.nullable(),
  /** Of check-ins: the address without its key, when the next run is due, and since when a run is in progress. */
  check_in: z
    .object({
      url: z.string(),
      expected_at: timestampSchema.nullable(),
      running_since: timestampSchema.nullable(),
    })
    .nullable(),
  created_at: timestampSchema,
  created_by: personSchema,
});
export type Monitor = z.infer<typeof monitorSchema>;

/** A monitor with the key of its check-ins, which only the answer that makes it contains; null for other kinds. */
export const keyedMonitorSchema = z.object({ monitor: monitorSchema, check_in_key: z.string().nullable() });
export type KeyedMonitor = z.infer<typeof keyedMonitorSchema>;

/** The answer of `GET /api/monitors`. */
export const monitorListSchema = z.object({ monitors: z.array(monitorSchema) });
export type MonitorList = z.infer<typeof monitorListSchema>;

/** The answer of `GET /api/monitors/{id}/results`, the newest first. */
export const monitorResultListSchema = z.object({ results: z.array(monitorResultSchema) });
export type MonitorResultList = z.infer<typeof monitorResultListSchema>;

/** What a job reports about its run. */
export const checkInStatuses = ["ok", "in_progress", "error"] as const;
export type CheckInStatus = (typeof checkInStatuses)[number];
