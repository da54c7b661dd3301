import type { Incident, WhenceError } from "@whence/protocol";
import type { IncidentScope, Scoped, StoredIncident } from "@whence/storage";
import { analyzerErrors } from "../../errors.ts";
import { incidentUrl } from "../../incidents/incident-url.ts";
import type { HttpContext } from "../context.ts";
import type { Caller } from "../viewer.ts";

/** The incident as the interface shows it, or 404. */
export async function readIncident(
  context: HttpContext<Scoped<IncidentScope>>,
  caller: Caller,
  id: string,
): Promise<Incident> {
  await requireVisible(context, caller, id);
  const stored = await context.control.scope(caller.scopeId).incidents.find(id);
  if (!stored) throw unknownIncident(id);
  return presentIncident(context, stored);
}

/** 404 for what a key may not see that sees its own analyses alone. */
export async function requireVisible(
  { control }: HttpContext<Scoped<IncidentScope>>,
  { scopeId, onlyAskedBy }: Caller,
  id: string,
): Promise<void> {
  if (onlyAskedBy === null) return;
  if (!(await control.scope(scopeId).incidents.wasAskedFor(id, onlyAskedBy))) throw unknownIncident(id);
}

/** 404: there is none of this id in the caller's organization. */
export function unknownIncident(id: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_INCIDENT_UNKNOWN", [id.slice(0, 60)]);
}

/** A stored incident with its address. A report that can't be read is counted. */
export function presentIncident(context: Pick<HttpContext, "appUrl" | "metrics">, stored: StoredIncident): Incident {
  if (stored.unreadable_report) context.metrics.unreadableReports.inc();
  return { ...stored, url: incidentUrl(context.appUrl, stored.id) };
}
