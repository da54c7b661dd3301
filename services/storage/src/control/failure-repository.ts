import { type Decision, decisionSchema, type IncidentStatus, incidentStatuses } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import type { DecidedFailure, FailureRepository, KnownFailure, Occurrence, RecordedDecision } from "./control-db.ts";
import { inTransaction } from "./in-transaction.ts";
import { openIncident } from "./incident-repository.ts";
import type { ControlTables, FailureDecisionTable, FailureTable } from "./tables.ts";

const statusSchema = z.enum(incidentStatuses).nullable();

type FailureRow = FailureTable & { incident_status: string | null };

/** The failures of one scope. */
export function failureRepository(db: Kysely<ControlTables>, scopeId: string): FailureRepository {
  const rows = () =>
    db
      .selectFrom("failure")
      .leftJoin("incident", "incident.id", "failure.incident_id")
      .selectAll("failure")
      .select("incident.status as incident_status")
      .where("failure.scope_id", "=", scopeId);
  return {
    decide: (occurrence, decide) =>
      inTransaction(db, (transaction) => decideOccurrence(transaction, scopeId, occurrence, decide)),
    async find(fingerprint, env) {
      const row = await rows()
        .where("failure.fingerprint", "=", fingerprint)
        .where("failure.env", "=", env)
        .executeTakeFirst();
      return row ? toFailure(row) : null;
    },
    async list({ limit }) {
      const listed = await rows().orderBy("decided_at", "desc").orderBy("failure.fingerprint").limit(limit).execute();
      return listed.flatMap((row) => toFailure(row) ?? []);
    },
    async decisions(fingerprint, env) {
      const found = await db
        .selectFrom("failure_decision")
        .selectAll()
        .where("scope_id", "=", scopeId)
        .where("fingerprint", "=", fingerprint)
        .where("env", "=", env)
        .orderBy("last_at", "desc")
        .orderBy("first_at", "desc")
        .execute();
      return found.map(toDecision);
    },
  };
}

async function decideOccurrence(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  occurrence: Occurrence,
  decide: (known: KnownFailure | null) => DecidedFailure,
): Promise<Decision> {
  const row = await lockFailure(transaction, scopeId, occurrence);
  const before = await decisionAbout(transaction, scopeId, occurrence);
  if (before) return before;
  const decided = decide(toFailure(row));
  const incident =
    decided.decision.outcome === "opened" && "incident" in decided
      ? await openIncident(transaction, scopeId, decided.incident)
      : null;
  const at = new Date(occurrence.at).toISOString();
  await transaction
    .updateTable("failure")
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", occurrence.fingerprint)
    .where("env", "=", occurrence.env)
    .set({
      title: decided.title,
      // Occurrences come in any order.
      ...(at < row.first_seen ? { first_seen: at } : {}),
      ...(at > row.last_seen ? { last_seen: at } : {}),
      incident_id: incident?.id ?? row.incident_id,
      decision_json: JSON.stringify(decided.decision),
      decided_at: occurrence.now.toISOString(),
    })
    .execute();
  await recordDecision(transaction, scopeId, occurrence, decided.decision);
  return decided.decision;
}

/**
 * The failure's row, made when it is new, and ours until the transaction ends: the update in it changes nothing, but
 * locks the row on every database, so that of two deciders the second sees what the first decided.
 */
async function lockFailure(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env, service, at, now }: Occurrence,
): Promise<FailureRow> {
  const seen = new Date(at).toISOString();
  const row = await transaction
    .insertInto("failure")
    .values({
      ...{ scope_id: scopeId, fingerprint, env, service, title: "", first_seen: seen, last_seen: seen },
      ...{ incident_id: null, decision_json: null, decided_at: now.toISOString() },
    })
    .onConflict((conflict) => conflict.columns(["scope_id", "fingerprint", "env"]).doUpdateSet({ fingerprint }))
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.incident_id === null) return { ...row, incident_status: null };
  const incident = await transaction
    .selectFrom("incident")
    .select("status")
    .where("id", "=", row.incident_id)
    .executeTakeFirst();
  return { ...row, incident_status: incident?.status ?? null };
}

/** What was decided already about this very event: a message that comes again must not join its own incident. */
async function decisionAbout(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env, eventId }: Occurrence,
): Promise<Decision | null> {
  const found = await transaction
    .selectFrom("failure_decision")
    .selectAll()
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .where("last_event_id", "=", eventId)
    .executeTakeFirst();
  if (!found) return null;
  const { outcome, reason, rule } = toDecision(found);
  return { outcome, reason, rule };
}

async function recordDecision(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env, eventId, now }: Occurrence,
  { outcome, rule, reason }: Decision,
): Promise<void> {
  const at = now.toISOString();
  await transaction
    .insertInto("failure_decision")
    .values({
      ...{ scope_id: scopeId, fingerprint, env, outcome, rule, reason },
      ...{ first_at: at, last_at: at, last_event_id: eventId },
    })
    .onConflict((conflict) =>
      conflict
        .columns(["scope_id", "fingerprint", "env", "outcome", "rule"])
        .doUpdateSet({ reason, last_at: at, last_event_id: eventId }),
    )
    .execute();
}

/** Null for a row that was made in this transaction and has no decision yet. */
function toFailure(row: FailureRow): KnownFailure | null {
  if (row.decision_json === null) return null;
  const incidentStatus: IncidentStatus | null = statusSchema.parse(row.incident_status);
  return {
    ...{ fingerprint: row.fingerprint, service: row.service, env: row.env, title: row.title },
    ...{ firstSeen: row.first_seen, lastSeen: row.last_seen, incidentId: row.incident_id, incidentStatus },
    ...{ decision: decisionSchema.parse(JSON.parse(row.decision_json)), decidedAt: row.decided_at },
  };
}

function toDecision(row: FailureDecisionTable): RecordedDecision {
  const { outcome, reason, rule } = decisionSchema.parse(row);
  return { outcome, reason, rule, firstAt: row.first_at, lastAt: row.last_at, lastEventId: row.last_event_id };
}
