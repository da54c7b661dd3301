import type { NewMessage } from "../queue/queue.ts";

/** Asks for the investigation of an incident. Its id names the request, so that asking twice is asking once. */
export function investigationMessage(incidentId: string, scopeId: string): NewMessage {
  return { id: incidentId, body: JSON.stringify({ incident_id: incidentId, scope_id: scopeId }) };
}
