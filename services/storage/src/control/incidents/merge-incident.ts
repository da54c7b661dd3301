import { type Severity, severities } from "@whence/protocol";
import type { Selectable, Transaction } from "kysely";
import { z } from "zod";
import { endIfAnalyzed } from "../conversations/conversation-end.ts";
import { recordDecision } from "../failures/failure-decisions.ts";
import { insertJoined, joinIncident } from "../failures/joined-failures.ts";
import type { MergingIncident } from "../investigations/refinement-db.ts";
import { moveOccasions } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";

const severitySchema = z.enum(severities);

/**
 * Merges an incident into another one, with all its failures; false when it is no longer held, or has since been renamed
 * after another failure. Rejects with `OvertakenError` when the other one has been renamed.
 */
export async function mergeIncident(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  merging: MergingIncident,
): Promise<boolean> {
  const { incidentId, fingerprint, env, decision, into, now } = merging;
  await moveFailures(transaction, scopeId, merging);
  const merged = await endMerged(transaction, scopeId, merging);
  if (!merged) return false;
  const eventId = await eventOf(transaction, incidentId);
  await joinIncident(
    transaction,
    scopeId,
    { ...into, severity: severityOf(merged) },
    {
      fingerprint,
      env,
      eventId,
      now,
      service: merged.service ?? "",
      title: merged.title,
      rule: decision.rule,
      reason: decision.reason,
      events: Number(merged.events),
      firstAt: merged.created_at,
      lastAt: merged.last_event_at ?? merged.created_at,
    },
  );
  await moveJoined(transaction, merging);
  await repointMerged(transaction, incidentId, into.incidentId);
  await moveConversations(transaction, merging);
  await forgetReport(transaction, incidentId);
  await recordDecision(transaction, scopeId, { fingerprint, env, eventId, now }, decision);
  return true;
}

/** Runs first, as in a decision about one of the failures, so that it waits for one that is under way. */
async function moveFailures(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { incidentId, fingerprint, into, decision, now }: MergingIncident,
): Promise<void> {
  const failures = () => transaction.updateTable("failure").where("scope_id", "=", scopeId);
  await failures().set({ incident_id: into.incidentId }).where("incident_id", "=", incidentId).execute();
  await failures()
    .set({ decision_json: JSON.stringify(decision), decided_at: now.toISOString() })
    .where("incident_id", "=", into.incidentId)
    .where("fingerprint", "=", fingerprint)
    .execute();
}

/** Ends what is under way for the merged incident and cancels its notifications. */
async function endMerged(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { incidentId, fingerprint, into, now }: MergingIncident,
): Promise<Selectable<IncidentTable> | undefined> {
  const merged = await transaction
    .updateTable("incident")
    .set((set) => ({
      status: "merged",
      merged_into: into.incidentId,
      held_until: null,
      refine_at: null,
      completed_at: set.fn.coalesce("completed_at", set.val(now.toISOString())),
    }))
    .where("id", "=", incidentId)
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("held_until", "is not", null)
    .returningAll()
    .executeTakeFirst();
  if (merged) await moveOccasions(transaction, incidentId, null);
  return merged;
}

/** Moves the joined failures to the other incident. */
async function moveJoined(
  transaction: Transaction<ControlTables>,
  { incidentId, into, now }: MergingIncident,
): Promise<void> {
  const joined = await transaction
    .deleteFrom("incident_failure")
    .where("incident_id", "=", incidentId)
    .returningAll()
    .execute();
  for (const { fingerprint, env, service, title, rule, reason, events, ...row } of joined) {
    await insertJoined(transaction, into.incidentId, {
      fingerprint,
      env,
      service,
      title,
      rule,
      reason,
      events: Number(events),
      now,
      eventId: row.event_id,
      firstAt: row.first_seen,
      lastAt: row.last_seen,
      ...(row.merged_from === null ? {} : { mergedFrom: row.merged_from }),
    });
  }
}

/** What someone merged into an incident belongs to another one, which is a list's row and not merged itself. */
export async function repointMerged(
  transaction: Transaction<ControlTables>,
  from: string,
  into: string,
): Promise<void> {
  await transaction
    .updateTable("incident")
    .set({ merged_into: into })
    .where("merged_into", "=", from)
    .where("merged_status", "is not", null)
    .execute();
}

/** Moves the conversations to the other incident, whose answer they get. */
async function moveConversations(
  transaction: Transaction<ControlTables>,
  { incidentId, into, now }: MergingIncident,
): Promise<void> {
  const moved = await transaction
    .updateTable("conversation")
    .set({ incident_id: into.incidentId, status: "PROCESSING", updated_at: now.toISOString() })
    .where("incident_id", "=", incidentId)
    .executeTakeFirst();
  if (moved.numUpdatedRows > 0n) await endIfAnalyzed(transaction, into.incidentId, now);
}

/** The report no longer belongs to an incident, so its predictions don't count. */
async function forgetReport(transaction: Transaction<ControlTables>, incidentId: string): Promise<void> {
  for (const table of ["prediction", "report_score"] as const) {
    await transaction.deleteFrom(table).where("incident_id", "=", incidentId).execute();
  }
}

/** The event that an incident starts from; empty without one. */
export async function eventOf(transaction: Transaction<ControlTables>, incidentId: string): Promise<string> {
  const input = await transaction
    .selectFrom("incident_input")
    .select("event_id")
    .where("incident_id", "=", incidentId)
    .executeTakeFirst();
  return input?.event_id ?? "";
}

function severityOf({ severity }: Selectable<IncidentTable>): Severity {
  return severitySchema.parse(severity);
}
