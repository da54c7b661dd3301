import { decisionSchema, incidentSchema, incidentStepSchema, silentDeathSchema } from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { investigationsTopic } from "../queue/topics.ts";
import type {
  AgentAllowance,
  Allowance,
  AllowedIncident,
  IncidentInput,
  IncidentRepository,
  NewIncident,
  StoredIncident,
} from "./control-db.ts";
import { readFeedback } from "./feedback-repository.ts";
import { isAgentScope, newId } from "./ids.ts";
import { inTransaction } from "./in-transaction.ts";
import { countIncidents, incidentFacets, listIncidents } from "./incident-list.ts";
import { occurrencesOf } from "./incident-occurrences.ts";
import { beginRefinement, complete, fail, refine } from "./investigation-end.ts";
import { investigationMessage } from "./investigation-message.ts";
import { addStep } from "./investigation-steps.ts";
import { joinedFailures } from "./joined-failures.ts";
import { noteOccasion } from "./notification-occasion.ts";
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
    open: (incident) => inTransaction(db, (transaction) => openIncident(transaction, scopeId, incident)),
    openWithin: (incident, allowance) =>
      inTransaction(db, (transaction) => openWithin(transaction, scopeId, incident, allowance)),
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
    asked_by_key_id: incident.askedByKeyId ?? null,
    held_until: incident.heldUntil?.toISOString() ?? null,
  };
  await transaction.insertInto("incident").values(stored).execute();
  await writeInput(transaction, id, incident.input);
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

async function openWithin(
  transaction: Transaction<ControlTables>,
  requestedScopeId: string,
  incident: NewIncident,
  allowance: AgentAllowance,
): Promise<AllowedIncident> {
  // Holds the agent's row, so that its analyses are counted one after the other.
  const scopeId = await currentScope(transaction, requestedScopeId);
  if (isAgentScope(scopeId)) {
    const freeAt = await fullUntil(transaction, scopeId, incident.now, allowance);
    if (freeAt) return { outcome: "exhausted", freeAt };
    if (await isBusy(transaction, scopeId, allowance)) return { outcome: "busy" };
  }
  return { outcome: "opened", incident: await openIncident(transaction, scopeId, incident) };
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

async function writeInput(transaction: Transaction<ControlTables>, id: string, input: IncidentInput): Promise<void> {
  const text = input.kind === "text" ? input.errorLog : null;
  const eventId = input.kind === "event" ? input.eventId : null;
  const death = input.kind === "death" ? JSON.stringify(input.death) : null;
  await transaction
    .insertInto("incident_input")
    .values({ incident_id: id, kind: input.kind, event_id: eventId, error_log: text, death_json: death })
    .execute();
  if (input.kind !== "text") return;
  for (const [position, { name, content }] of input.files.entries()) {
    await transaction.insertInto("incident_file").values({ incident_id: id, position, name, content }).execute();
  }
}

async function readInput(db: Kysely<ControlTables>, id: string): Promise<IncidentInput> {
  const input = await db
    .selectFrom("incident_input")
    .selectAll()
    .where("incident_id", "=", id)
    .executeTakeFirstOrThrow();
  if (input.event_id !== null) return { kind: "event", eventId: input.event_id };
  if (input.death_json !== null) {
    return { kind: "death", death: silentDeathSchema.parse(JSON.parse(input.death_json)) };
  }
  const files = await db
    .selectFrom("incident_file")
    .select(["name", "content"])
    .where("incident_id", "=", id)
    .orderBy("position")
    .execute();
  return { kind: "text", errorLog: input.error_log ?? "", files };
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

async function requeue(transaction: Transaction<ControlTables>, scopeId: string, id: string): Promise<boolean> {
  const queued = await transaction
    .updateTable("incident")
    .set({ status: "queued", started_at: null, completed_at: null, failure_json: null })
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["completed", "failed"])
    .returning("attempt")
    .executeTakeFirst();
  if (!queued) return false;
  await transaction.deleteFrom("incident_step").where("incident_id", "=", id).execute();
  // A queue drops an id it has seen: this asks for the attempt after the last one.
  const message = { ...investigationMessage(id, scopeId), id: `${id}:after-${queued.attempt}` };
  await transaction
    .insertInto("outbox")
    .values({ ...message, topic: investigationsTopic.name, scope_id: scopeId })
    .execute();
  return true;
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
