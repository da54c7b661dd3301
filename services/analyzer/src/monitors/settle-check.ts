import { hourMs, minuteMs } from "@whence/protocol";
import type { AlertScope, MonitorScope, MonitorStore, Scoped, StoredMonitor } from "@whence/storage";
import type { AlertSender } from "@whence/vendors";
import { type AlertingScope, type OpeningContext, openForMonitor } from "../incidents/open-incident.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import { type AlertingContext, alertOfMonitor } from "./alert-of-monitor.ts";
import { isRetry, judged } from "./judge.ts";
import { statementOf } from "./kinds.ts";
import type { Checked } from "./monitor-kind.ts";

/** The sender of the alerts that the service's own monitors raise. */
const monitorSender: Pick<AlertSender, "kind" | "label"> = { kind: "monitor", label: "Whence" };
/** A monitor that alerts again this soon after it recovered is about the same incident. */
const sameIncidentMs = hourMs;
/** How long until an alert that has no incident yet is tried again. */
const retryMs = minuteMs;

/** What settling a check takes. */
export interface SettlingContext
  extends OpeningContext<MonitorStore & Scoped<AlertingScope & MonitorScope>>,
    Pick<AlertingContext, "events" | "logger"> {}

/**
 * Writes the result of a check, and opens or ends the alert of its monitor. Returns the monitor as written; null when
 * someone else has written or taken it since it was read. An alert that has no incident, because opening it failed or was
 * withheld, is tried again after a minute, or with the next check if that comes earlier.
 */
export async function settleCheck(
  context: SettlingContext,
  monitor: StoredMonitor,
  checked: Checked,
): Promise<StoredMonitor | null> {
  const progress = judged(monitor, checked);
  if (!progress.alert) await endAlert(context, monitor);
  const isPending = progress.alert !== null && !progress.alert.isOpened;
  const retryAt = isPending ? context.clock() + retryMs : checked.nextCheckAt;
  const written = await context.control.scope(monitor.scopeId).monitors.write(monitor, {
    progress,
    nextCheckAt: iso(Math.min(checked.nextCheckAt, retryAt)),
    ...(!isRetry(monitor, checked.result) && { result: checked.result }),
  });
  return written && (await openAlert(context, written, iso(checked.nextCheckAt)));
}

/** Ends the current alert of a monitor, if it has one. Its incident stays open until someone resolves it. */
export async function endAlert(
  { control, clock }: { readonly control: Scoped<Pick<AlertScope, "alerts">>; readonly clock: () => number },
  monitor: StoredMonitor,
): Promise<void> {
  const { id, scopeId, name, progress } = monitor;
  if (!progress.alert) return;
  const now = new Date(clock());
  const { alertForgottenAfterMs: forgottenAfterMs, resolutionsMax } = triggerLimits;
  const title = `${name}: ${statementOf(monitor, progress.alert.reason)}`;
  const named = { sourceId: id, key: progress.alert.since, title, url: null };
  await control
    .scope(scopeId)
    .alerts.resolve({ ...named, at: now.toISOString(), now, forgottenAfterMs, resolutionsMax });
}

/** Opens an incident for an alert that has none, or adds it to one. The next check is at `nextCheckAt` once it has one. */
async function openAlert(
  context: SettlingContext,
  monitor: StoredMonitor,
  nextCheckAt: string,
): Promise<StoredMonitor> {
  const { id, scopeId, progress } = monitor;
  const { alert } = progress;
  if (!alert || alert.isOpened) return monitor;
  const { alerts, monitors } = context.control.scope(scopeId);
  const announced = await alertOfMonitor(monitor, alert, context);
  const reason = `the monitor ${monitor.name} alerted`;
  const origin = { sender: monitorSender, sourceId: id, alert: announced, reason, isOfMonitor: true };
  const opened = await openForMonitor(context, scopeId, origin, recentIncident(monitor, context.clock()));
  if (opened === "withheld") {
    const withheld = "the organization's monitors have opened as many incidents in this hour as they may";
    if (alert.withheld === withheld) return monitor;
    const noted = { ...progress, alert: { ...alert, withheld } };
    return (await monitors.write(monitor, { progress: noted, nextCheckAt: monitor.nextCheckAt })) ?? monitor;
  }
  const [latest] = await alerts.list(id, 1);
  const incidentId = latest?.incident_id ?? progress.incidentId;
  const noted = { ...progress, incidentId, alert: { ...alert, isOpened: true, withheld: null } };
  return (await monitors.write(monitor, { progress: noted, nextCheckAt })) ?? monitor;
}

/** Returns the incident of the alert before, if that ended a short time ago. */
function recentIncident({ progress: { recoveredAt, incidentId } }: StoredMonitor, now: number): string | null {
  return recoveredAt !== null && now - Date.parse(recoveredAt) < sameIncidentMs ? incidentId : null;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
