import { incidentStepSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { readFeedback } from "../accuracy/feedback-repository.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { joinedFailures } from "../failures/joined-failures.ts";
import { beginRefinement, complete, fail, refine } from "../investigations/investigation-end.ts";
import { addStep } from "../investigations/investigation-steps.ts";
import { requeue } from "../investigations/requeue.ts";
import { readActivity } from "../lifecycle/incident-activity.ts";
import { ownersOf } from "../ownership/stored-owner.ts";
import type { ControlTables } from "../tables.ts";
import type { IncidentRepository, StoredIncident } from "./incident-db.ts";
import { packInput, readInput } from "./incident-input.ts";
import { countIncidents, incidentFacets, listIncidents } from "./incident-list.ts";
import { toIncident } from "./incident-row.ts";
import { storedBytes } from "./input-room.ts";
import { openIncident } from "./open-incident.ts";
import { openWithin } from "./open-within.ts";
import { recordPullRequest } from "./pull-request.ts";
import { removeIncidents } from "./remove-incidents.ts";
import { readPredictions } from "./report-account.ts";
import { reportVersions } from "./report-versions.ts";
import { raiseSeverity } from "./severity.ts";

/** The incidents of one scope. */
export function incidentRepository(db: Kysely<ControlTables>, scopeId: string): IncidentRepository {
  const row = (id: string) => db.selectFrom("incident").where("id", "=", id).where("scope_id", "=", scopeId);
  return {
    async open(incident) {
      const input = await packInput(incident.input);
      return inTransaction(db, (transaction) => openIncident(transaction, scopeId, incident, input));
    },
    async openWithin(incident, allowance, room) {
      const input = await packInput(incident.input);
      return inTransaction(db, (transaction) => openWithin(transaction, { scopeId, incident, input, allowance, room }));
    },
    async find(id) {
      const found = await row(id).selectAll().executeTakeFirst();
      return found ? withAccount(db, toIncident(found)) : null;
    },
    async wasAskedFor(id, keyId) {
      const found = await row(id).select("id").where("asked_by_key_id", "=", keyId).executeTakeFirst();
      return found !== undefined;
    },
    list: (filter) => listIncidents(db, scopeId, filter),
    facets: () => incidentFacets(db, scopeId),
    countByService: (since) => countIncidents(db, scopeId, since),
    async input(id) {
      const found = await row(id).select("id").executeTakeFirst();
      return found ? readInput(db, id) : null;
    },
    begin: (id, now) => inTransaction(db, (transaction) => begin(transaction, scopeId, id, now)),
    addStep: (id, attempt, step) =>
      inTransaction(db, (transaction) => addStep(transaction, { scopeId, id, attempt }, step)),
    async steps(id, afterSeq) {
      const steps = await row(id)
        .innerJoin("incident_step", "incident_step.incident_id", "incident.id")
        .select(["incident_step.seq", "incident_step.at", "incident_step.step", "incident_step.detail"])
        .select("incident_step.result")
        .where("incident_step.seq", ">", afterSeq)
        .orderBy("incident_step.seq")
        .execute();
      return steps.map(({ result, ...step }) =>
        incidentStepSchema.parse({ ...step, ...(result !== null && { result }) }),
      );
    },
    raiseSeverity: (id, attempt, severity, now) =>
      inTransaction(db, (transaction) => raiseSeverity(transaction, { scopeId, id, attempt }, severity, now)),
    complete: (id, attempt, report, now, around) =>
      inTransaction(db, (transaction) => complete(transaction, { scopeId, id, attempt, now }, report, around)),
    fail: (id, attempt, failure, now) =>
      inTransaction(db, (transaction) => fail(transaction, { scopeId, id, attempt, now }, failure)),
    beginRefinement: (id, heldUntil) => beginRefinement(db, scopeId, id, heldUntil),
    refine: (id, attempt, report, now, plan) =>
      inTransaction(db, (transaction) => refine(transaction, { scopeId, id, attempt, now }, report, plan)),
    async reports(id) {
      const found = await row(id).select("id").executeTakeFirst();
      return found ? reportVersions(db, id) : [];
    },
    async activity(id, before) {
      const found = await row(id).select("id").executeTakeFirst();
      return found ? readActivity(db, id, before) : { activity: [], next: null };
    },
    async inputBytes() {
      return storedBytes(db, { scopeId });
    },
    recordPullRequest: (id, opened) =>
      inTransaction(db, (transaction) => recordPullRequest(transaction, scopeId, id, opened)),
    remove: async (id, by, now) => (await removeIncidents(db, { scopeId, id, by, now })) > 0,
    requeue: (id) => inTransaction(db, (transaction) => requeue(transaction, scopeId, id)),
  };
}

async function begin(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
  now: Date,
): Promise<number | null> {
  const begun = await transaction
    .updateTable("incident")
    .set((set) => ({
      status: "investigating",
      refine_at: null,
      attempt: set("attempt", "+", 1),
      // Resumed after a crash, it started when it first did.
      started_at: set.fn.coalesce("started_at", set.val(now.toISOString())),
    }))
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["queued", "investigating"])
    .returning("attempt")
    .executeTakeFirst();
  if (!begun) return null;
  await transaction.deleteFrom("incident_step").where("incident_id", "=", id).execute();
  return begun.attempt;
}

/** The incident with its owner, its activity, and updates to its report. */
async function withAccount(db: Kysely<ControlTables>, incident: StoredIncident): Promise<StoredIncident> {
  const { id, report } = incident;
  const failures = await joinedFailures(db, id);
  const { activity } = await readActivity(db, id);
  const owner = (await ownersOf(db, [id])).get(id) ?? null;
  const acted = { ...incident, owner, ...(activity.length === 0 ? {} : { activity }) };
  const joined = failures.length === 0 ? acted : { ...acted, joined_failures: failures };
  if (!report) return joined;
  const predictions = await readPredictions(db, id, report.predictions);
  return { ...joined, report: { ...report, predictions }, feedback: await readFeedback(db, id) };
}
