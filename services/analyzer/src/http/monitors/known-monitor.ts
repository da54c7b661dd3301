import type { Monitor } from "@whence/protocol";
import type { MonitorScope, Scoped, StoredMonitor } from "@whence/storage";
import { analyzerErrors } from "../../errors.ts";
import { stateOf } from "../../monitors/judge.ts";

const idShownMax = 60;

/** Returns the monitor that a route names. Throws when the organization has none with that id. */
export function knownMonitor(monitor: StoredMonitor | null, id: string): StoredMonitor {
  if (!monitor) throw analyzerErrors.create("WHENCE_ERR_MONITOR_UNKNOWN", [id.slice(0, idShownMax)]);
  return monitor;
}

/** Finds the monitor that a route names, of an organization; throws likewise. */
export async function findMonitor(control: Scoped<MonitorScope>, scopeId: string, id: string): Promise<StoredMonitor> {
  return knownMonitor(await control.scope(scopeId).monitors.find(id), id);
}

/** Returns a monitor as its organization sees it. */
export function presentMonitor(stored: StoredMonitor, appUrl: string): Monitor {
  const { id, name, severity, service, env, alert_after, check, progress, nextCheckAt, createdAt, createdBy } = stored;
  const { expectedAt, runningSince } = progress;
  return {
    id,
    name,
    severity,
    service,
    env,
    alert_after,
    check,
    state: stateOf(stored),
    failing_since: progress.failingSince,
    incident_id: progress.incidentId,
    withheld: progress.alert?.withheld ?? null,
    last_result: progress.lastResult,
    next_check_at: nextCheckAt,
    check_in:
      check.kind === "check-in"
        ? { url: `${appUrl}/api/check-ins/${check.slug}`, expected_at: expectedAt, running_since: runningSince }
        : null,
    created_at: createdAt,
    created_by: createdBy,
  };
}
