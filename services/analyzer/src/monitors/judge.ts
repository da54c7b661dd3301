import type { MonitorResult, MonitorState } from "@whence/protocol";
import type { MonitorProgress, StoredMonitor } from "@whence/storage";
import type { Checked } from "./monitor-kind.ts";

/** The progress of a monitor before its first check. */
export const noProgress: MonitorProgress = {
  failedChecks: 0,
  failingSince: null,
  alert: null,
  recoveredAt: null,
  incidentId: null,
  lastResult: null,
  expectedAt: null,
  runningSince: null,
  runId: null,
};

/**
 * Returns a monitor's progress after a check: it alerts after a number of consecutive failures, and recovers at the
 * first check that passes.
 */
export function judged(
  { alert_after: alertAfter, progress }: Pick<StoredMonitor, "alert_after" | "progress">,
  { result, own }: Pick<Checked, "result" | "own">,
): MonitorProgress {
  const checked = { ...progress, ...own, lastResult: result };
  if (result.outcome === "passed") {
    const recoveredAt = progress.alert ? result.at : progress.recoveredAt;
    return { ...checked, failedChecks: 0, failingSince: null, alert: null, recoveredAt };
  }
  if (isRetry({ progress }, result)) return { ...progress, ...own };
  if (result.outcome !== "failed") return checked;
  const failedChecks = progress.failedChecks + 1;
  const failingSince = progress.failingSince ?? result.at;
  const begins = progress.alert === null && failedChecks >= alertAfter;
  const alert = begins ? { since: result.at, reason: result.reason, isOpened: false, withheld: null } : progress.alert;
  return { ...checked, failedChecks, failingSince, alert };
}

/** Whether a check that says nothing only tries again to open the incident of an alert: no one waits for its result. */
export function isRetry({ progress: { alert } }: Pick<StoredMonitor, "progress">, { outcome }: MonitorResult): boolean {
  return outcome === "not-checked" && alert !== null && !alert.isOpened;
}

/** Returns the state of a monitor in one word. */
export function stateOf({ nextCheckAt, progress }: Pick<StoredMonitor, "nextCheckAt" | "progress">): MonitorState {
  if (nextCheckAt === null) return "paused";
  if (progress.alert) return "alerting";
  if (progress.failedChecks > 0) return "failing";
  const outcome = progress.lastResult?.outcome ?? "not-checked";
  return outcome === "not-checked" ? "waiting" : "passing";
}
