import { decisionSchema, incidentSchema, incidentStepSchema } from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { investigationsTopic } from "../queue/topics.ts";
import type { AgentAllowance, Allowance, AllowedIncident, InputRoom } from "./allowance.ts";
import type { IncidentRepository, NewIncident, StoredIncident } from "./control-db.ts";
import { readFeedback } from "./feedback-repository.ts";
import { isAgentScope, newId } from "./ids.ts";
import { inTransaction } from "./in-transaction.ts";
import { type PackedInput, packInput, readInput, writeInput } from "./incident-input.ts";
import { countIncidents, incidentFacets, listIncidents } from "./incident-list.ts";
import { occurrencesOf } from "./incident-occurrences.ts";
import { exceededQuota, storedBytes } from "./input-room.ts";
import { beginRefinement, complete, fail, refine } from "./investigation-end.ts";
import { investigationMessage } from "./investigation-message.ts";
import { addStep } from "./investigation-steps.ts";
import { joinedFailures } from "./joined-failures.ts";
import { noteOccasion } from "./notification-occasion.ts";
import { removeIncidents } from "./remove-incidents.ts";
import { readPredictions } from "./report-account.ts";
import { refinementOf, reportVersions } from "./report-versions.ts";
import { raiseSeverity } from "./severity.ts";
import type { ControlTables, IncidentTable } from "./tables.ts";

const storedSchema = incidentSchema.omit({ url: true });
const failureSchema = z.object({ code: z.string(), message: z.string() });

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
        .where("incident_step.seq", ">", afterSeq)
        .orderBy("incident_step.seq")
        .execute();
      return steps.map((step) => incidentStepSchema.parse(step));
    },
    raiseSeverity: (id, attempt, severity, now) =>
      inTransaction(db, (transaction) => raiseSeverity(transaction, { scopeId, id, attempt }, severity, now)),
    complete: (id, attempt, report, now, plan) =>
      inTransaction(db, (transaction) => complete(transaction, { scopeId, id, attempt, now }, report, plan)),
    fail: (id, attempt, failure, now) =>
      inTransaction(db, (transaction) => fail(transaction, { scopeId, id, attempt, now }, failure)),
    beginRefinement: (id) => beginRefinement(db, scopeId, id),
    refine: (id, attempt, report, now, plan) =>
      inTransaction(db, (transaction) => refine(transaction, { scopeId, id, attempt, now }, report, plan)),
    async reports(id) {
      const found = await row(id).select("id").executeTakeFirst();
      return found ? reportVersions(db, id) : [];
    },
    async inputBytes() {
      return storedBytes(db, { scopeId });
    },
    remove: async (id) => (await removeIncidents(db, { scopeId, id })) > 0,
    requeue: (id) => inTransaction(db, (transaction) => requeue(transaction, scopeId, id)),
  };
}

/**
 * Stores a queued incident with its input and the message that asks for its investigation. An agent that is claimed in
 * between has it in its organization.
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
    ...{ id, scope_id: scopeId, status: "queued", title: incident.title, severity: incident.severity },
    ...{ trigger_kind: incident.trigger.kind, trigger_json: JSON.stringify(incident.trigger) },
    ...{ service: incident.service, env: incident.env, fingerprint: incident.fingerprint },
    ...{ decision_json: JSON.stringify(incident.decision), created_at: incident.now.toISOString() },
    ...{ started_at: null, completed_at: null, failure_json: null, report_json: null, attempt: 0 },
    ...{ category: null, root_cause_summary: null, confidence: null, events: 0, last_event_at: null },
    ...{ version: 0, refine_at: null, refined_at: null, refined_until: null, evidence_mark: null, merged_into: null },
    held_until: incident.heldUntil?.toISOString() ?? null,
    ...{ asked_by_key_id: incident.askedByKeyId ?? null, input_bytes: input.bytes },
  };
  await transaction.insertInto("incident").values(stored).execute();
  await writeInput(transaction, id, input);
  await transaction
    .insertInto("outbox")
    .values({
      ...investigationMessage(id, scopeId),
      ...{ topic: investigationsTopic.name, scope_id: scopeId, priority: incident.priority ?? 0 },
    })
    .execute();
  await noteOccasion(transaction, { scopeId, incidentId: id, kind: "opened" }, incident.heldUntil ?? incident.now);
  return toIncident(stored);
}

interface Opening {
  readonly scopeId: string;
  readonly incident: NewIncident;
  readonly input: PackedInput;
  readonly allowance: AgentAllowance;
  readonly room: InputRoom;
}

async function openWithin(
  transaction: Transaction<ControlTables>,
  { scopeId: requestedScopeId, incident, input, allowance, room }: Opening,
): Promise<AllowedIncident> {
  // Holds the agent's row, so that its analyses are counted one after the other.
  const scopeId = await currentScope(transaction, requestedScopeId);
  if (isAgentScope(scopeId)) {
    const freeAt = await fullUntil(transaction, scopeId, incident.now, allowance);
    if (freeAt) return { outcome: "exhausted", freeAt };
    if (await isBusy(transaction, scopeId, allowance)) return { outcome: "busy" };
  }
  const owner = { scopeId, keyId: incident.askedByKeyId ?? null };
  const exceeded = await exceededQuota(transaction, owner, input.bytes, room);
  if (exceeded) return { outcome: "no-room", ...exceeded };
  return { outcome: "opened", incident: await openIncident(transaction, scopeId, incident, input) };
}

async function isBusy(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { openMax }: AgentAllowance,
): Promise<boolean> {
  const open = await transaction
    .selectFrom("incident")
    .select("id")
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["queued", "investigating"])
    .limit(openMax)
    .execute();
  return open.length >= openMax;
}

/** When the scope may open another by an analyze request; null when it may now. */
async function fullUntil(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  now: Date,
  { max, spanMs }: Allowance,
): Promise<Date | null> {
  const counted = await transaction
    .selectFrom("incident")
    .select("created_at")
    .where("scope_id", "=", scopeId)
    .where("trigger_kind", "=", "analyze")
    .where("created_at", ">", new Date(now.getTime() - spanMs).toISOString())
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
  if (counted.length < max) return null;
  const oldest = counted.at(-1)?.created_at;
  return new Date((oldest === undefined ? now.getTime() : Date.parse(oldest)) + spanMs);
}

/** A claim moves what an agent has; the update changes nothing, but waits for a claim under way and holds off the next. */
async function currentScope(transaction: Transaction<ControlTables>, scopeId: string): Promise<string> {
  if (!isAgentScope(scopeId)) return scopeId;
  const agent = await transaction
    .updateTable("agent")
    .set((set) => ({ source: set.ref("source") }))
    .where("id", "=", scopeId)
    .returning("organization_id")
    .executeTakeFirst();
  return agent?.organization_id ?? scopeId;
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

async function requeue(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
): Promise<"queued" | "under-way" | "input-removed"> {
  const queued = await transaction
    .updateTable("incident")
    .set({ status: "queued", started_at: null, completed_at: null, failure_json: null })
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["completed", "failed"])
    // A request whose input was removed leaves nothing to investigate.
    .where(({ or, eb }) => or([eb("trigger_kind", "!=", "analyze"), eb("input_bytes", ">", 0)]))
    .returning("attempt")
    .executeTakeFirst();
  if (!queued) return (await hasEnded(transaction, scopeId, id)) ? "input-removed" : "under-way";
  await transaction.deleteFrom("incident_step").where("incident_id", "=", id).execute();
  // A queue drops an id it has seen: this asks for the attempt after the last one.
  const message = { ...investigationMessage(id, scopeId), id: `${id}:after-${queued.attempt}` };
  await transaction
    .insertInto("outbox")
    .values({ ...message, topic: investigationsTopic.name, scope_id: scopeId })
    .execute();
  return "queued";
}

async function hasEnded(transaction: Transaction<ControlTables>, scopeId: string, id: string): Promise<boolean> {
  const ended = await transaction
    .selectFrom("incident")
    .select("id")
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["completed", "failed"])
    .executeTakeFirst();
  return ended !== undefined;
}

/** The incident with what is known of its report since it was written. */
async function withAccount(db: Kysely<ControlTables>, incident: StoredIncident): Promise<StoredIncident> {
  const { id, report } = incident;
  const failures = await joinedFailures(db, id);
  const joined = failures.length === 0 ? incident : { ...incident, joined_failures: failures };
  if (!report) return joined;
  const predictions = await readPredictions(db, id, report.predictions);
  return { ...joined, report: { ...report, predictions }, feedback: await readFeedback(db, id) };
}

function toIncident(row: Selectable<IncidentTable>): StoredIncident {
  const { failure_json: failure, report_json: report } = row;
  return storedSchema.parse({
    ...{ id: row.id, organization_id: isAgentScope(row.scope_id) ? null : row.scope_id, status: row.status },
    ...{ title: row.title, severity: row.severity, trigger: JSON.parse(row.trigger_json) },
    ...{ service: row.service, env: row.env, fingerprint: row.fingerprint },
    decision: decisionSchema.parse(JSON.parse(row.decision_json)),
    ...{ created_at: row.created_at, started_at: row.started_at, completed_at: row.completed_at },
    ...occurrencesOf(row),
    ...(failure === null ? {} : { failure: failureSchema.parse(JSON.parse(failure)) }),
    ...(report === null ? {} : { report: JSON.parse(report), refinement: refinementOf(row) }),
    ...(row.merged_into === null ? {} : { merged_into: row.merged_into }),
  });
}
