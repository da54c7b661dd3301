import { type ReportedRun, secondMs } from "@whence/protocol";
import type { StoredMonitor } from "@whence/storage";
import type { Attempt, Postponed } from "../consumers/consume.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { checkedIn, isOvertaken } from "./check-in.ts";
import { described, type MakingContext, makeMonitor, type Unmade } from "./client-monitor.ts";
import { beginning, problemOf } from "./kinds.ts";
import { type SettlingContext, settleCheck } from "./settle-check.ts";

/** How often a run is written again when its monitor is written at the same time. */
const attemptsMax = 5;
/** How often, and when again, the end of a run is tried that comes before its beginning, which describes the job. */
const endAttemptsMax = 5;
const endAgainInMs = 2 * secondMs;

/** What became of a run: `unknown` ones have no monitor and describe none. */
export type RunOutcome = "recorded" | "paused" | "overtaken" | "unknown" | Unmade;

export interface RunContext extends SettlingContext, Pick<MakingContext, "mayReach"> {
  readonly metrics: SettlingContext["metrics"] & Pick<AnalyzerMetrics, "reportedRuns">;
}

/** Handles runs of jobs that clients report: each counts for the monitor of its name, which it makes if it can. */
export function runHandler(
  context: RunContext,
): (run: ReportedRun, attempt: Pick<Attempt, "number">) => Promise<Postponed | undefined> {
  return async (run, { number }) => {
    const outcome = await recordRun(context, run);
    if (outcome === "unknown" && run.run_id !== null && run.status !== "in_progress" && number < endAttemptsMax) {
      return { againInMs: endAgainInMs, reason: "the beginning of the run, which describes its job, hasn't come yet" };
    }
    context.metrics.reportedRuns.inc({ outcome });
    if (outcome === "full" || outcome === "unusable") {
      context.logger.warn({ scope: run.scope_id, slug: run.slug, outcome }, "a client's monitor was not made");
    }
    return undefined;
  };
}

async function recordRun(context: RunContext, run: ReportedRun): Promise<RunOutcome> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const monitor = await monitorOf(context, run);
    if (!monitor) {
      if (!run.job) return "unknown";
      const unmade = await makeMonitor(context, { ...run, job: run.job });
      if (unmade) return unmade;
      continue;
    }
    if (monitor.nextCheckAt === null) return "paused";
    const current = await follow(context, monitor, run);
    if (current?.check.kind !== "check-in") continue;
    const report = { status: run.status, at: Date.parse(run.at), runId: run.run_id, durationMs: run.duration_ms };
    if (isOvertaken(current.progress, report)) return "overtaken";
    const checked = checkedIn({ check: current.check, progress: current.progress }, report);
    if (await settleCheck(context, current, checked)) return "recorded";
  }
  throw new Error(`a run of ${run.slug} was written at the same time ${attemptsMax} times in a row`);
}

/** Returns the monitor of a run's name: of its service and environment, or else one that names none. */
async function monitorOf({ control }: RunContext, run: ReportedRun): Promise<StoredMonitor | undefined> {
  const named = (await control.scope(run.scope_id).monitors.list()).filter(
    ({ check, service, env }) =>
      check.kind === "check-in" &&
      check.slug === run.slug &&
      (service === null || service === run.service) &&
      (env === null || env === run.env),
  );
  const closeness = ({ service, env }: StoredMonitor): number => Number(service !== null) + Number(env !== null);
  return named.toSorted((one, other) => closeness(other) - closeness(one))[0];
}

/** Writes what a client says about its job now, if that changed. Returns undefined when someone else wrote first. */
async function follow(
  context: RunContext,
  monitor: StoredMonitor,
  run: ReportedRun,
): Promise<StoredMonitor | undefined> {
  const change = described(monitor, run);
  // A schedule that can't work changes nothing.
  if (!change || problemOf(change.check, context)) return monitor;
  const { nextCheckAt, own } = beginning(change.check, context.clock());
  const written = await context.control.scope(monitor.scopeId).monitors.write(monitor, {
    change,
    progress: { ...monitor.progress, ...own },
    nextCheckAt: new Date(nextCheckAt).toISOString(),
  });
  return written ?? undefined;
}
