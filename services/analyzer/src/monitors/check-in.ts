import { type CheckInCheck, type CheckInStatus, type MonitorResult, minuteMs } from "@whence/protocol";
import type { MonitorProgress } from "@whence/storage";
import { listeningSince, type TelemetryArrival } from "../process-exits/listening.ts";
import { nextRun, scheduleProblem } from "./job-schedule.ts";
import { isOfClient } from "./made-by.ts";
import { type Checked, type MonitorKind, type MonitorOf, resultOf } from "./monitor-kind.ts";

/** A run that checks in this long before it is due is the one that is due: clocks differ. */
const earlyMs = minuteMs;
/** A deadline that no analyzer looked at for this long says nothing: the service didn't run, or took no check-ins. */
const overlookedMs = 10 * minuteMs;

/** Waits for a job to report its runs. */
export const checkIn: MonitorKind<CheckInCheck> = {
  label: "Check-in",
  subject: ({ check }) => check.slug,
  problem: ({ schedule }, { clock }) => scheduleProblem(schedule, clock()),
  begin: (check, now) => waitingFor(check, nextRun(check.schedule, now), null, now),
  async check({ check, progress, createdBy }, context) {
    const now = context.clock();
    const late = lateness(check, progress, now);
    if (late === null) {
      const result = resultOf(now, "not-checked", "its next check-in isn't due yet");
      return { result, ...waitingFor(check, timeOf(progress.expectedAt), timeOf(progress.runningSince), now) };
    }
    const { reason, deadline } = late;
    const isOverlooked = now - deadline > overlookedMs;
    const isUnheard = !isOverlooked && isOfClient({ createdBy }) && !(await wasListening(context, deadline, now));
    const result =
      isOverlooked || isUnheard
        ? resultOf(
            now,
            "not-checked",
            `Whence ${isUnheard ? "took no check-ins" : "wasn't running"} when the check-in was due`,
          )
        : resultOf(now, "failed", reason);
    return { result, ...waitingFor(check, nextRun(check.schedule, now), null, now) };
  },
};

/** Whether gateways, which take the check-ins of clients, took them until the deadline. */
async function wasListening(context: TelemetryArrival, deadline: number, now: number): Promise<boolean> {
  const since = await listeningSince(context, now);
  return since !== null && since <= deadline;
}

/** What a job reports about a run. */
export interface RunReport {
  readonly status: CheckInStatus;
  /** When it was reported, in milliseconds since 1970. */
  readonly at: number;
  /** The same at the run's beginning and its end; null when unknown. */
  readonly runId?: string | null;
  /** As the job measured it; measured here from the run's beginning when absent. */
  readonly durationMs?: number | null;
}

/** Returns what a job's report means for its monitor. */
export function checkedIn(
  { check, progress }: Pick<MonitorOf<CheckInCheck>, "check" | "progress">,
  { status, at: now, runId = null, durationMs = null }: RunReport,
): Checked {
  const expectedAt = timeOf(progress.expectedAt);
  if (status === "in_progress") {
    const { own, nextCheckAt } = waitingFor(check, expectedAt, now, now);
    return { result: resultOf(now, "started", "began a run"), nextCheckAt, own: { ...own, runId } };
  }
  const startedAt = timeOf(progress.runningSince);
  const isOther = startedAt !== null && isOtherRun(progress, { at: now, runId });
  const measured = startedAt === null || isOther ? null : Math.max(0, now - startedAt);
  const duration_ms = durationMs ?? measured;
  const result: MonitorResult =
    status === "ok"
      ? resultOf(now, "passed", "succeeded", { duration_ms })
      : resultOf(now, "failed", reportedError, { duration_ms });
  // The run that is in progress goes on.
  if (isOther) return { result, ...waitingFor(check, expectedAt, startedAt, now) };
  const isOfCrontab = check.schedule.type === "crontab";
  const isDue = isOfCrontab && expectedAt !== null && expectedAt > now && expectedAt - now <= earlyMs;
  const { own, nextCheckAt } = waitingFor(check, nextRun(check.schedule, isDue ? expectedAt : now), null, now);
  return { result, nextCheckAt, own: { ...own, runId } };
}

/** Whether a report isn't about the run that is in progress. */
function isOtherRun(
  { runId: running, runningSince }: MonitorProgress,
  { at, runId = null }: Pick<RunReport, "at" | "runId">,
): boolean {
  if (running !== null && runId !== null) return runId !== running;
  return runningSince !== null && at < Date.parse(runningSince);
}

/**
 * Whether a newer report was recorded, or this one was already: reports may come out of order, and more than once. One
 * that comes after its run counted as missed still ends that.
 */
export function isOvertaken({ lastResult, ...progress }: MonitorProgress, { status, at, runId = null }: RunReport) {
  // A check that says nothing about the job was written while reports may have waited in the queue.
  if (lastResult === null || lastResult.outcome === "not-checked") return false;
  if (lastResult.outcome === "failed" && lastResult.reason !== reportedError) return false;
  const isBeginning = status === "in_progress";
  const hasBegun = lastResult.outcome === "started";
  // A gateway may take the end of a run before its beginning.
  if (runId !== null && runId === progress.runId) return isBeginning || !(hasBegun || progress.runningSince !== null);
  const recordedAt = Date.parse(lastResult.at);
  if (recordedAt === at) return lastResult.outcome === outcomes[status];
  // That a later run began says nothing about how this one ended.
  return recordedAt > at && (isBeginning || !hasBegun);
}

const reportedError = "reported an error";
const outcomes = { ok: "passed", in_progress: "started", error: "failed" } as const;

/** Returns which deadline has passed, and what that means; null when none has. */
function lateness(
  check: CheckInCheck,
  { expectedAt, runningSince }: MonitorProgress,
  now: number,
): { readonly deadline: number; readonly reason: string } | null {
  const { grace_minutes: grace, max_runtime_minutes: runtime } = check;
  const [due, startedAt] = [timeOf(expectedAt), timeOf(runningSince)];
  const overrun = startedAt === null ? null : overrunAt(check, startedAt);
  if (startedAt !== null && overrun !== null && now >= overrun) {
    const limit = runtime === null ? "until the run after it was due" : `longer than ${minutesText(runtime)}`;
    return { deadline: overrun, reason: `has been running ${limit}, since ${clockText(startedAt)}` };
  }
  if (startedAt !== null || due === null || now < due + grace * minuteMs) return null;
  const reason = `did not check in within ${minutesText(grace)} of ${clockText(due)}, when its run was due`;
  return { deadline: due + grace * minuteMs, reason };
}

/** Returns when a run takes too long: after its longest time, or else when the next one is late. */
function overrunAt({ schedule, grace_minutes: grace, max_runtime_minutes: runtime }: CheckInCheck, startedAt: number) {
  if (runtime !== null) return startedAt + runtime * minuteMs;
  const next = nextRun(schedule, startedAt + earlyMs);
  return next === null ? null : next + grace * minuteMs;
}

/** Returns when the check-in counts as late. */
function waitingFor(
  check: CheckInCheck,
  expectedAt: number | null,
  runningSince: number | null,
  now: number,
): Omit<Checked, "result"> {
  const due = expectedAt === null ? null : expectedAt + check.grace_minutes * minuteMs;
  const deadline = runningSince === null ? due : overrunAt(check, runningSince);
  return {
    // A schedule without a next time ends: it is looked at again in a day, in case its time zone's rules change.
    nextCheckAt: Math.max(deadline ?? now + endedLookMs, now),
    own: { expectedAt: textOf(expectedAt), runningSince: textOf(runningSince) },
  };
}

const endedLookMs = 24 * 60 * minuteMs;

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function textOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function minutesText(minutes: number): string {
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** Returns `2026-03-01 03:00 UTC`. */
function clockText(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-03-01T03:00".length).replace("T", " ")} UTC`;
}
