import { type Decision, decisionSchema, incidentStatuses, lifecycleStates } from "@whence/protocol";
import type { Expression, ExpressionBuilder, Kysely, SqlBool, Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import type { NewIncident } from "../incidents/incident-db.ts";
import { packInput } from "../incidents/incident-input.ts";
import { countOccurrences } from "../incidents/incident-occurrences.ts";
import { mergeIncident } from "../incidents/merge-incident.ts";
import { openIncident } from "../incidents/open-incident.ts";
import { splitOff } from "../incidents/split-off.ts";
import { noteOccurrence } from "../lifecycle/note-occurrence.ts";
import { moveOccasions } from "../notifications/notification-occasion.ts";
import type { ControlTables, FailureTable } from "../tables.ts";
import type { DecidedFailure, FailureRepository, KnownFailure, Occurrences } from "./failure-db.ts";
import { recordDecision, recordedDecisions } from "./failure-decisions.ts";
import { type FailureHistory, isCounted, readHistory, withCounted, writeHistory } from "./failure-history.ts";
import {
  countJoined,
  countOpening,
  joinIncident,
  leaveIncident,
  noteChecked,
  OvertakenError,
  openIncidents,
} from "./joined-failures.ts";
import type { Joining, JoiningFailure } from "./joining-db.ts";

const statusSchema = z.enum(incidentStatuses).nullable();
const stateSchema = z.enum(lifecycleStates).nullable();

/** A decision that stands: what it opens, if it opens anything. */
type TakenDecision = Pick<DecidedFailure, "title" | "history" | "isRising"> & { readonly decision: Decision } & (
    | { readonly incident: NewIncident }
    | { readonly joining: Joining }
    | { readonly priority?: number; readonly checked?: { readonly reason: string } }
  );

type Decide = (known: KnownFailure | null) => DecidedFailure | JoiningFailure | null;

type FailureRow = FailureTable & IncidentOfFailure;

/** What the incident that a failure belongs to says of it. */
interface IncidentOfFailure {
  readonly incident_status: string | null;
  readonly incident_state: string | null;
  readonly held_until: string | null;
  readonly joined_rule: string | null;
  readonly joined_reason: string | null;
  readonly checked_at: string | null;
  readonly merged_from: string | null;
}

/** The failures of one scope. */
export function failureRepository(db: Kysely<ControlTables>, scopeId: string): FailureRepository {
  const rows = () =>
    db
      .selectFrom("failure")
      .leftJoin("incident", "incident.id", "failure.incident_id")
      .leftJoin("incident_failure as joined", (join) =>
        join
          .onRef("joined.incident_id", "=", "failure.incident_id")
          .onRef("joined.fingerprint", "=", "failure.fingerprint")
          .onRef("joined.env", "=", "failure.env"),
      )
      .selectAll("failure")
      .select(ofIncident)
      .where("failure.scope_id", "=", scopeId);
  return {
    decide: (occurrences, decide) =>
      inTransaction(db, (transaction) => decideOccurrences(transaction, scopeId, occurrences, decide, null)),
    async decideAsSeen({ opened }, occurrences, decide) {
      try {
        return await inTransaction(db, (transaction) =>
          decideOccurrences(transaction, scopeId, occurrences, decide, opened),
        );
      } catch (error) {
        if (error instanceof OvertakenError) return null;
        throw error;
      }
    },
    async merge(merging) {
      try {
        return await inTransaction(db, async (transaction) => {
          if (await mergeIncident(transaction, scopeId, merging)) return true;
          throw new OvertakenError(`incident ${merging.incidentId} is no longer held`);
        });
      } catch (error) {
        if (error instanceof OvertakenError) return false;
        throw error;
      }
    },
    release: (incidentId, now) =>
      inTransaction(db, (transaction) => releaseIncident(transaction, scopeId, incidentId, now)),
    splitOff: (split) => inTransaction(db, (transaction) => splitOff(transaction, scopeId, split)),
    openIncidents: (filter) => openIncidents(db, scopeId, filter),
    async find(fingerprint, env) {
      const row = await rows()
        .where("failure.fingerprint", "=", fingerprint)
        .where("failure.env", "=", env)
        .executeTakeFirst();
      return row ? toFailure(row) : null;
    },
    async list({ limit, outcome, rule }) {
      let found = rows();
      if (outcome !== undefined) found = found.where(latestDecision("outcome", outcome));
      if (rule !== undefined) found = found.where(latestDecision("rule", rule));
      const listed = await found.orderBy("decided_at", "desc").orderBy("failure.fingerprint").limit(limit).execute();
      return listed.flatMap((row) => toFailure(row) ?? []);
    },
    decisions: (fingerprint, env) => recordedDecisions(db, scopeId, { fingerprint, env }),
  };
}

const ofIncident = [
  "incident.status as incident_status",
  "incident.state as incident_state",
  "incident.held_until",
  "joined.rule as joined_rule",
  "joined.reason as joined_reason",
  "joined.checked_at",
  "joined.merged_from",
] as const;

async function decideOccurrences(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  occurrences: Occurrences,
  decide: Decide,
  openedBefore: number | null,
): Promise<Decision> {
  const row = await lockFailure(transaction, scopeId, occurrences);
  const known = toFailure(row);
  if (known && isCounted(row.counted, occurrences.eventId)) return known.decision;
  const wanted = decide(known);
  if (!wanted) throw new OvertakenError("the decision depends on a context that was not read yet");
  const decided = await withinAllowance(transaction, scopeId, wanted, occurrences.now);
  const incidentId = await incidentOf(transaction, scopeId, { decided, occurrences, row, openedBefore });
  await updateFailure(transaction, scopeId, { decided, occurrences, row, incidentId });
  await recordDecision(transaction, scopeId, occurrences, decided.decision);
  if (incidentId !== null && decided.decision.outcome !== "skipped" && !("joining" in decided))
    await countOn(transaction, incidentId, occurrences, decided);
  if (incidentId !== null && incidentId === row.incident_id && decided.decision.outcome === "joined")
    await noteOccurrence(transaction, scopeId, incidentId, {
      decided,
      occurrences,
      before: readBefore(row),
      isJoined: row.joined_rule !== null,
    });
  return decided.decision;
}

interface Decided {
  readonly decided: TakenDecision;
  readonly occurrences: Occurrences;
  readonly row: FailureRow;
}

/** The incident that the failure belongs to from now on: a new one, one that it joins, or the one it belonged to. */
async function incidentOf(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { decided, occurrences, row, openedBefore }: Decided & { readonly openedBefore: number | null },
): Promise<string | null> {
  if (!("incident" in decided) && !("joining" in decided)) return row.incident_id;
  const next = "joining" in decided ? decided.joining.incidentId : null;
  if (row.incident_id !== null && row.joined_rule !== null && row.incident_id !== next)
    await leaveIncident(transaction, row.incident_id, occurrences);
  if ("incident" in decided) {
    await countOpening(transaction, scopeId, openedBefore);
    const { incident } = decided;
    return (await openIncident(transaction, scopeId, incident, await packInput(incident.input))).id;
  }
  const { title, decision, joining } = decided;
  await joinIncident(transaction, scopeId, joining, { ...occurrences, title, ...decision });
  return joining.incidentId;
}

async function updateFailure(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { decided, occurrences, row, incidentId }: Decided & { readonly incidentId: string | null },
): Promise<void> {
  const [firstAt, lastAt] = [toTime(occurrences.firstAt), toTime(occurrences.lastAt)];
  await transaction
    .updateTable("failure")
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", occurrences.fingerprint)
    .where("env", "=", occurrences.env)
    .set({
      title: decided.title,
      // Occurrences come in any order.
      ...(firstAt < row.first_seen ? { first_seen: firstAt } : { first_seen: row.first_seen }),
      ...(lastAt > row.last_seen ? { last_seen: lastAt } : { last_seen: row.last_seen }),
      incident_id: incidentId,
      decision_json: JSON.stringify(decided.decision),
      decided_at: occurrences.now.toISOString(),
      history_json: writeHistory(decided.history),
      counted: withCounted(row.counted, occurrences.eventId),
    })
    .execute();
}

function readBefore({ history_json: json }: FailureRow): FailureHistory | null {
  return json === null ? null : readHistory(json);
}

/** Counts the occurrences where they belong: on the incident, or on the failure that joined it. */
async function countOn(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  occurrences: Occurrences,
  decided: TakenDecision,
): Promise<void> {
  if (await countJoined(transaction, incidentId, occurrences)) {
    if ("checked" in decided && decided.checked)
      await noteChecked(transaction, incidentId, occurrences, decided.checked);
    return;
  }
  await countOccurrences(transaction, incidentId, occurrences.events, toTime(occurrences.lastAt));
  if ("priority" in decided && decided.priority !== undefined)
    await changePriority(transaction, incidentId, decided.priority);
}

/** That the latest decision about a failure has a value. */
function latestDecision(column: "outcome" | "rule", value: string) {
  return ({ exists, selectFrom }: ExpressionBuilder<ControlTables, "failure">): Expression<SqlBool> =>
    exists(
      selectFrom("failure_decision as latest")
        .select("latest.rule")
        .whereRef("latest.scope_id", "=", "failure.scope_id")
        .whereRef("latest.fingerprint", "=", "failure.fingerprint")
        .whereRef("latest.env", "=", "failure.env")
        .whereRef("latest.last_at", "=", "failure.decided_at")
        .where(`latest.${column}`, "=", value),
    );
}

/** The decision, or the alternative once the allowance for incidents from telemetry is used up. */
async function withinAllowance(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  decided: DecidedFailure | JoiningFailure,
  now: Date,
): Promise<TakenDecision> {
  if (!("incident" in decided)) return decided;
  const { allowance, otherwise, title } = decided;
  const { opened } = await transaction
    .selectFrom("incident")
    .select((select) => select.fn.countAll<number | bigint>().as("opened"))
    .where("scope_id", "=", scopeId)
    .where("trigger_kind", "in", ["event", "process-exit"])
    // Held ones that turned out to be another incident's don't count; those that someone merged were opened all the same.
    .where(({ or, eb }) => or([eb("status", "!=", "merged"), eb("merged_status", "is not", null)]))
    .where("created_at", ">", new Date(now.getTime() - allowance.spanMs).toISOString())
    .executeTakeFirstOrThrow();
  return Number(opened) < allowance.max ? decided : { title, ...otherwise };
}

/** Releases the incident's notifications. */
async function releaseIncident(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("incident")
    .set({ held_until: null })
    .where("id", "=", incidentId)
    .where("scope_id", "=", scopeId)
    .where("held_until", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await moveOccasions(transaction, incidentId, now);
  return true;
}

/** Changes the priority of an unpublished investigation, whose message has the incident's id. */
async function changePriority(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  priority: number,
): Promise<void> {
  await transaction.updateTable("outbox").set({ priority }).where("id", "=", incidentId).execute();
}

/**
 * The failure's row, made when it is new, and ours until the transaction ends: the update in it changes nothing, but
 * locks the row on every database, so that of two deciders the second sees what the first decided.
 */
async function lockFailure(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  occurrences: Occurrences,
): Promise<FailureRow> {
  const { fingerprint, env, service, firstAt, now } = occurrences;
  const seen = toTime(firstAt);
  const row = await transaction
    .insertInto("failure")
    .values({
      scope_id: scopeId,
      fingerprint,
      env,
      service,
      title: "",
      first_seen: seen,
      last_seen: seen,
      incident_id: null,
      decision_json: null,
      decided_at: now.toISOString(),
      history_json: null,
      counted: null,
    })
    .onConflict((conflict) => conflict.columns(["scope_id", "fingerprint", "env"]).doUpdateSet({ fingerprint }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, ...(await readIncidentOf(transaction, row)) };
}

async function readIncidentOf(
  transaction: Transaction<ControlTables>,
  { incident_id: id, fingerprint, env }: FailureTable,
): Promise<IncidentOfFailure> {
  const none = {
    incident_status: null,
    incident_state: null,
    held_until: null,
    joined_rule: null,
    joined_reason: null,
    checked_at: null,
    merged_from: null,
  };
  if (id === null) return none;
  const found = await transaction
    .selectFrom("incident")
    .leftJoin("incident_failure as joined", (join) =>
      join
        .onRef("joined.incident_id", "=", "incident.id")
        .on("joined.fingerprint", "=", fingerprint)
        .on("joined.env", "=", env),
    )
    .select(ofIncident)
    .where("incident.id", "=", id)
    .executeTakeFirst();
  return found ?? none;
}

/** Null for a row that was made in this transaction and has no decision yet. */
function toFailure(row: FailureRow): KnownFailure | null {
  if (row.decision_json === null || row.history_json === null) return null;
  const { joined_rule: rule, joined_reason: reason, checked_at: checkedAt } = row;
  const isJoined = rule !== null && reason !== null && checkedAt !== null;
  return {
    fingerprint: row.fingerprint,
    service: row.service,
    env: row.env,
    title: row.title,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    incidentId: row.incident_id,
    incidentStatus: statusSchema.parse(row.incident_status),
    incidentState: stateSchema.parse(row.incident_state),
    isHeld: row.held_until !== null,
    joined: isJoined ? { rule, reason, checkedAt, isByHand: row.merged_from !== null } : null,
    decision: decisionSchema.parse(JSON.parse(row.decision_json)),
    decidedAt: row.decided_at,
    history: readHistory(row.history_json),
  };
}

/** As times are stored. */
function toTime(at: string): string {
  return new Date(at).toISOString();
}
