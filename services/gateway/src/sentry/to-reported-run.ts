import { hash } from "node:crypto";
import {
  type DescribedJob,
  describedJobSchema,
  monitorLimits,
  type ReportedRun,
  reportedRunSchema,
  type SentryProject,
  secondMs,
} from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { SentryCheckIn, SentryMonitorConfig } from "./check-in-schema.ts";
import { envOf } from "./env-of.ts";
import type { EventFrame } from "./to-event.ts";

/** The minutes of a unit of intervals; a month counts 30 days. */
const unitMinutes: ReadonlyMap<string, number> = new Map([
  ["minute", 1],
  ["hour", 60],
  ["day", 1_440],
  ["week", 10_080],
  ["month", 43_200],
]);

/** Returns the run that a check-in reports; null for one without a usable name, or with a status that no client has. */
export function toReportedRun(
  checkIn: SentryCheckIn,
  project: SentryProject,
  { scopeId, receivedAt }: EventFrame,
): ReportedRun | null {
  const { check_in_id, monitor_slug, status, duration, environment, monitor_config: config } = checkIn;
  const run = {
    scope_id: scopeId,
    project_id: project.id,
    service: project.service,
    env: envOf(environment ?? "", project),
    slug: slugOf(monitor_slug),
    status,
    at: receivedAt,
    job: config ? jobOf(config) : null,
    run_id: check_in_id && !/^[0-]*$/.test(check_in_id) ? check_in_id : null,
    duration_ms: duration === null || duration === undefined ? null : Math.round(Math.max(0, duration) * secondMs),
  };
  return reportedRunSchema.safeParse(run).data ?? null;
}

/** Returns the run as a message, whose ID is the same when the client sends it again. */
export function runMessage(run: ReportedRun): NewMessage {
  const id = [run.scope_id, run.project_id, run.slug, run.status, run.run_id ?? run.at];
  return { id: hash("sha256", JSON.stringify(id)), body: JSON.stringify(run) };
}

/** Converts a name of Sentry's to one of ours: lowercase, with single separators. */
function slugOf(name: string): string {
  return name
    .slice(0, monitorLimits.monitorNameLengthMax)
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, "-")
    .replace(/([-_.])[-_.]+/g, "$1")
    .replace(/^[-_.]|[-_.]$/g, "");
}

/** Returns what a monitor needs to know of a job; null when its schedule is none that a monitor can have. */
function jobOf({ schedule, checkin_margin, max_runtime, timezone, failure_issue_threshold }: SentryMonitorConfig) {
  const job = {
    schedule: scheduleOf(schedule, timezone ?? undefined),
    grace_minutes: checkin_margin ?? undefined,
    max_runtime_minutes: max_runtime ?? null,
    alert_after: failure_issue_threshold ?? undefined,
  };
  return describedJobSchema.safeParse(job).data ?? null;
}

function scheduleOf({ type, value, unit }: SentryMonitorConfig["schedule"], timeZone: string | undefined) {
  if (type === "crontab") return { type, crontab: value, time_zone: timeZone };
  const minutes = Number(value) * (unitMinutes.get(unit ?? "") ?? Number.NaN);
  return { type, minutes } satisfies Record<keyof Extract<DescribedJob["schedule"], { type: "interval" }>, unknown>;
}
