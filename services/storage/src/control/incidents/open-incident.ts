import type { Selectable, Transaction } from "kysely";
import { isAgentScope, newId } from "../ids.ts";
import { askForInvestigation } from "../investigations/investigation-message.ts";
import { noteOccasion } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import type { NewIncident, StoredIncident } from "./incident-db.ts";
import { type PackedInput, writeInput } from "./incident-input.ts";
import { toIncident } from "./incident-row.ts";

/**
 * Stores a queued incident with its input, the message that asks for its investigation, and what its notifications start
 * from: the only place that inserts one. When an agent is claimed at the same moment, the incident belongs to its
 * organization.
 */
export async function openIncident(
  transaction: Transaction<ControlTables>,
  requestedScopeId: string,
  incident: NewIncident,
  input: PackedInput,
): Promise<StoredIncident> {
  const id = newId("inc_");
  const scopeId = await currentScope(transaction, requestedScopeId);
  const stored: Selectable<IncidentTable> = {
    id,
    scope_id: scopeId,
    status: "queued",
    title: incident.title,
    severity: incident.severity,
    trigger_kind: incident.trigger.kind,
    trigger_json: JSON.stringify(incident.trigger),
    service: incident.service,
    env: incident.env,
    fingerprint: incident.fingerprint,
    decision_json: JSON.stringify(incident.decision),
    created_at: incident.now.toISOString(),
    started_at: null,
    completed_at: null,
    failure_json: null,
    report_json: null,
    attempt: 0,
    category: null,
    root_cause_summary: null,
    confidence: null,
    events: 0,
    last_event_at: null,
    version: 0,
    refine_at: null,
    refined_at: null,
    refined_until: null,
    evidence_mark: null,
    merged_into: null,
    merged_status: null,
    held_until: incident.heldUntil?.toISOString() ?? null,
    asked_by_key_id: incident.askedByKeyId ?? null,
    input_bytes: input.bytes,
    state: "open",
    muted_until: null,
    lifecycle_json: null,
    owner_id: null,
    owner_since: null,
    acknowledged_json: null,
    pull_request_json: null,
  };
  await transaction.insertInto("incident").values(stored).execute();
  await writeInput(transaction, id, input);
  await askForInvestigation(transaction, { incidentId: id, scopeId, priority: incident.priority });
  await noteOccasion(transaction, { scopeId, incidentId: id, kind: "opened" }, incident.heldUntil ?? incident.now);
  return toIncident(stored);
}

/** The scope, or the organization that has claimed the agent. The update changes nothing, but waits for a claim under way and holds off the next. */
export async function currentScope(transaction: Transaction<ControlTables>, scopeId: string): Promise<string> {
  if (!isAgentScope(scopeId)) return scopeId;
  const agent = await transaction
    .updateTable("agent")
    .set((set) => ({ source: set.ref("source") }))
    .where("id", "=", scopeId)
    .returning("organization_id")
    .executeTakeFirst();
  return agent?.organization_id ?? scopeId;
}
