import type { NewMessage } from "../queue/queue.ts";

/** Asks for the investigation of an incident. Its id names the request, so that asking twice is asking once. */
export function investigationMessage(incidentId: string, scopeId: string): NewMessage {
  return { id: incidentId, body: JSON.stringify({ incident_id: incidentId, scope_id: scopeId }) };
}

/** Asks for the refinement of the report that the attempt made; again when a claim moved the incident. */
export function refinementMessage(incidentId: string, scopeId: string, attempt: number): NewMessage {
  return {
    id: `${incidentId}:refine-${attempt}:${scopeId}`,
    body: JSON.stringify({ incident_id: incidentId, scope_id: scopeId, refine: true }),
  };
}
