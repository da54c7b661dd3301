import type { Report } from "@whence/protocol";
import type { Kysely, Selectable, Transaction, Updateable } from "kysely";
import { endConversations, failureKey } from "../conversations/conversation-end.ts";
import { refineAfterJoinMs } from "../failures/joined-failures.ts";
import { keepReport, keepReportIfNew } from "../incidents/report-versions.ts";
import { earliestNotification, noteOccasion } from "../notifications/notification-occasion.ts";
import { assignByRules } from "../ownership/ownership-rules.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { hold, type Investigation } from "./investigation-hold.ts";
import type { EvidencePlan, ReportSurroundings, TakenRefinement } from "./refinement-db.ts";

/** An investigation at its end. */
type Ended = Investigation & { readonly now: Date };

/** How far ahead evidence that arrives asks for a look at most: failures that join ask for the latest one. */
const askedAheadMs = refineAfterJoinMs;
const final: EvidencePlan = { mark: "", refineAt: null, refinedUntil: null };

/** Ends the investigation with its report; false when a later one has the incident. */
export async function complete(
  transaction: Transaction<ControlTables>,
  ended: Ended,
  report: Report,
  { plan = final, changed = null }: ReportSurroundings = {},
): Promise<boolean> {
  const incident = await hold(transaction, ended, "investigating");
  if (!incident) return false;
  await change(transaction, ended, {
    status: "completed",
    completed_at: ended.now.toISOString(),
    refined_at: null,
    ...planColumns(plan, incident, ended.now),
  });
  await keepReport(transaction, incident, report, ended.now, changed);
  await assignByRules(transaction, incident, report, ended.now);
  return true;
}

/** Ends the investigation without a report. */
export async function fail(
  transaction: Transaction<ControlTables>,
  ended: Ended,
  failure: { code: string; message: string },
): Promise<boolean> {
  const incident = await hold(transaction, ended, "investigating");
  if (!incident) return false;
  await change(transaction, ended, {
    status: "failed",
    completed_at: ended.now.toISOString(),
    failure_json: JSON.stringify(failure),
    refine_at: null,
  });
  await assignByRules(transaction, incident, null, ended.now);
  const notBefore = earliestNotification(incident.held_until, ended.now);
  await endConversations(transaction, {
    incidentId: ended.id,
    status: "FAILED",
    key: failureKey(ended.id, ended.attempt),
    isCorrected: false,
    notBefore,
    now: ended.now,
  });
  const failed = { scopeId: ended.scopeId, incidentId: ended.id, kind: "failed" } as const;
  await noteOccasion(transaction, failed, notBefore);
  return true;
}

/**
 * Takes a report that is due for refinement, which is due again at `heldUntil` if that comes to nothing; null when it is
 * final, or when the incident is investigated again.
 */
export async function beginRefinement(
  db: Kysely<ControlTables>,
  scopeId: string,
  id: string,
  heldUntil: Date,
): Promise<TakenRefinement | null> {
  const begun = await db
    .updateTable("incident")
    .set((set) => ({ attempt: set("attempt", "+", 1), refine_at: heldUntil.toISOString() }))
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "=", "completed")
    .where("refine_at", "is not", null)
    .returning(["attempt", "version", "evidence_mark"])
    .executeTakeFirst();
  return begun ? { attempt: begun.attempt, version: begun.version, mark: begun.evidence_mark } : null;
}

/** Records that evidence was collected again, and the result. */
export async function refine(
  transaction: Transaction<ControlTables>,
  ended: Ended,
  report: Report | null,
  plan: EvidencePlan,
): Promise<boolean> {
  const incident = await hold(transaction, ended, "completed");
  if (!incident) return false;
  await change(transaction, ended, { refined_at: ended.now.toISOString(), ...planColumns(plan, incident, ended.now) });
  if (report) await keepReportIfNew(transaction, incident, report, ended.now);
  return true;
}

/** Evidence that arrived during the investigation has asked for a look, which comes before a planned one. */
function planColumns(
  { mark, refineAt, refinedUntil }: EvidencePlan,
  { refine_at: asked }: Pick<Selectable<IncidentTable>, "refine_at">,
  now: Date,
): Updateable<IncidentTable> {
  const planned = refineAt?.toISOString() ?? null;
  // What holds a report during an investigation lies further ahead.
  const isAsked = asked !== null && asked <= new Date(now.getTime() + askedAheadMs).toISOString();
  const at = isAsked && (planned === null || asked < planned) ? asked : planned;
  return { evidence_mark: mark, refine_at: at, refined_until: refinedUntil?.toISOString() ?? at };
}

async function change(
  transaction: Transaction<ControlTables>,
  { id }: Investigation,
  values: Updateable<IncidentTable>,
): Promise<void> {
  await transaction.updateTable("incident").set(values).where("id", "=", id).execute();
}
