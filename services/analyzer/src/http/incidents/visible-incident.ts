import { type Incident, lifecycleAt, type WhenceError } from "@whence/protocol";
import type { IncidentScope, Scoped, StoredIncident } from "@whence/storage";
import { analyzerErrors } from "../../errors.ts";
import { incidentUrl } from "../../incidents/incident-url.ts";
import type { HttpContext } from "../context.ts";
import type { Caller } from "../viewer.ts";

/** Returns the incident as the API shows it; throws 404 without one. */
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

/** Throws 404 for a key that may see only its own analyses. */
export async function requireVisible(
  { control }: HttpContext<Scoped<IncidentScope>>,
  { scopeId, onlyAskedBy }: Caller,
  id: string,
): Promise<void> {
  if (onlyAskedBy === null) return;
  if (!(await control.scope(scopeId).incidents.wasAskedFor(id, onlyAskedBy))) throw unknownIncident(id);
}

/** Returns the 404 for an id that the caller's organization doesn't have. */
export function unknownIncident(id: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_INCIDENT_UNKNOWN", [id.slice(0, 60)]);
}

/** Returns a stored incident with its address, and counts a report that can't be read. */
export function presentIncident(
  context: Pick<HttpContext, "appUrl" | "metrics" | "clock">,
  stored: StoredIncident,
): Incident {
  if (stored.unreadable_report) context.metrics.unreadableReports.inc();
  const lifecycle = lifecycleAt(stored.lifecycle, new Date(context.clock()));
  return { ...stored, lifecycle, url: incidentUrl(context.appUrl, stored.id) };
}
