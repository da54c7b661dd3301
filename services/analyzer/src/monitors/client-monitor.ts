import { hash } from "node:crypto";
import { type CheckInCheck, type MonitorChange, monitorLimits, type ReportedRun } from "@whence/protocol";
import type { MonitorScope, NewMonitor, Scoped, StoredMonitor } from "@whence/storage";
import { noProgress } from "./judge.ts";
import { beginning, problemOf } from "./kinds.ts";
import { clientOf, isOfClient } from "./made-by.ts";
import type { CheckContext } from "./monitor-kind.ts";

/** Why a client's monitor wasn't made. */
export type Unmade = "full" | "unusable";

/** What making a monitor takes. */
export interface MakingContext extends Pick<CheckContext, "mayReach" | "clock"> {
  readonly control: Scoped<MonitorScope>;
}

/**
 * Returns the settings of a client's monitor as the client describes them now. What an owner decides, such as its name
 * and severity, stays.
 */
export function described(monitor: StoredMonitor, run: ReportedRun): MonitorChange | null {
  const { name, severity, service, env, alert_after, check } = monitor;
  if (!run.job || !isOfClient(monitor) || check.kind !== "check-in") return null;
  const { alert_after: wanted, ...job } = run.job;
  const change = { name, severity, service, env, alert_after: wanted, check: { ...check, ...job } };
  const isSame = JSON.stringify([alert_after, check]) === JSON.stringify([wanted, change.check]);
  return isSame ? null : change;
}

/** Makes the monitor that a run describes, unless the organization has as many as it may. */
export async function makeMonitor(
  context: MakingContext,
  run: ReportedRun & { readonly job: NonNullable<ReportedRun["job"]> },
): Promise<Unmade | null> {
  const { scope_id: scopeId, service, env, slug } = run;
  const { alert_after, ...job } = run.job;
  const check: CheckInCheck = { kind: "check-in", slug, ...job };
  if (problemOf(check, context)) return "unusable";
  const { monitors } = context.control.scope(scopeId);
  if ((await monitors.list()).length >= monitorLimits.monitorsMax) return "full";
  const now = context.clock();
  const { nextCheckAt, own } = beginning(check, now);
  const change: MonitorChange = { name: slug, severity: "high", service, env, alert_after, check };
  await monitors.addOnce({
    change,
    keyHash: identityOf(run),
    progress: { ...noProgress, ...own },
    nextCheckAt: new Date(nextCheckAt).toISOString(),
    by: clientOf(run.project_id),
    now: new Date(now),
  } satisfies NewMonitor);
  return null;
}

/** Of several analyzers that make a monitor at the same time, one does. No key has this as its hash. */
function identityOf({ scope_id: scopeId, service, env, slug }: ReportedRun): string {
  return `client:${hash("sha256", JSON.stringify([scopeId, service, env, slug]))}`;
}
