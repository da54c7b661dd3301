import type { Selectable, Transaction } from "kysely";
import { countJoined, insertJoined } from "../failures/joined-failures.ts";
import { countOccurrences } from "../incidents/incident-occurrences.ts";
import { eventOf } from "../incidents/merge-incident.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";

interface TwoIncidents {
  readonly scopeId: string;
  /** The one that is merged, or was. */
  readonly other: Selectable<IncidentTable>;
  /** The one that it is merged into. */
  readonly target: Selectable<IncidentTable>;
  readonly now: Date;
}

/** The failure that an incident is named after. */
interface Anchor {
  readonly fingerprint: string;
  readonly env: string;
}

/** Locks the failures of incidents, before the incidents, as a decision about one of the failures does. */
export async function lockFailures(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentIds: readonly string[],
): Promise<void> {
  if (incidentIds.length === 0) return;
  await transaction
    .updateTable("failure")
    .set(({ ref }) => ({ incident_id: ref("incident_id") }))
    .where("scope_id", "=", scopeId)
    .where("incident_id", "in", incidentIds)
    .execute();
}

/** Has the failures of an incident count toward the one that it is merged into, with what they counted before. */
export async function giveFailures(
  transaction: Transaction<ControlTables>,
  { scopeId, other, target, now }: TwoIncidents,
): Promise<void> {
  await giveJoined(transaction, other.id, target.id, now);
  await giveAnchor(transaction, { scopeId, other, target, now });
  await transaction
    .updateTable("failure")
    .set({ incident_id: target.id })
    .where("scope_id", "=", scopeId)
    .where("incident_id", "=", other.id)
    .execute();
}

async function giveJoined(
  transaction: Transaction<ControlTables>,
  from: string,
  into: string,
  now: Date,
): Promise<void> {
  const joined = await transaction.selectFrom("incident_failure").selectAll().where("incident_id", "=", from).execute();
  for (const row of joined) {
    const counted = { ...row, events: Number(row.events), eventId: row.event_id, now, release: "" };
    const isCounted = await countJoined(transaction, into, {
      ...counted,
      firstAt: row.first_seen,
      lastAt: row.last_seen,
    });
    if (isCounted) await ofFailure(transaction.deleteFrom("incident_failure"), from, row).execute();
    else {
      const moved = { incident_id: into, merged_from: row.merged_from ?? from };
      await ofFailure(transaction.updateTable("incident_failure"), from, row).set(moved).execute();
    }
  }
}

async function giveAnchor(
  transaction: Transaction<ControlTables>,
  { other, target, now }: TwoIncidents,
): Promise<void> {
  const anchor = anchorOf(other);
  if (!anchor) return;
  const events = Number(other.events);
  const lastAt = other.last_event_at ?? other.created_at;
  if (isNamedAfter(target, anchor)) return countOccurrences(transaction, target.id, events, lastAt);
  const eventId = await eventOf(transaction, other.id);
  const service = other.service ?? "";
  const counted = { ...anchor, service, eventId, events, firstAt: other.created_at, lastAt, release: "", now };
  if (await countJoined(transaction, target.id, counted)) return;
  await insertJoined(transaction, target.id, {
    ...counted,
    title: other.title,
    rule: "merged-by-hand",
    reason: "someone merged its incident into this one",
    mergedFrom: other.id,
  });
}

/** Has the failures that came with a merged incident count toward it again, with what they counted since. */
export async function giveFailuresBack(
  transaction: Transaction<ControlTables>,
  { scopeId, other, target }: Omit<TwoIncidents, "now">,
): Promise<void> {
  const anchor = anchorOf(other);
  if (anchor) await giveAnchorBack(transaction, { other, target, anchor });
  const given = await transaction
    .updateTable("incident_failure")
    .set({ incident_id: other.id, merged_from: null })
    .where("incident_id", "=", target.id)
    .where("merged_from", "=", other.id)
    .returning(["fingerprint", "env"])
    .execute();
  const failures = transaction.updateTable("failure").where("scope_id", "=", scopeId);
  for (const { fingerprint, env } of given) {
    await failures
      .set({ incident_id: other.id })
      .where("fingerprint", "=", fingerprint)
      .where("env", "=", env)
      .where("incident_id", "=", target.id)
      .execute();
  }
  if (!anchor) return;
  await failures
    .set({ incident_id: await homeOf(transaction, scopeId, anchor, other.id) })
    .where("fingerprint", "=", anchor.fingerprint)
    .where("env", "=", anchor.env)
    .where("incident_id", "=", target.id)
    .execute();
}

/** Takes what the failure that an incident is named after counted away from where it was merged into. */
async function giveAnchorBack(
  transaction: Transaction<ControlTables>,
  { other, target, anchor }: Pick<TwoIncidents, "other" | "target"> & { readonly anchor: Anchor },
): Promise<void> {
  const events = Number(other.events);
  if (isNamedAfter(target, anchor)) {
    const left = Math.max(Number(target.events) - events, 0);
    await transaction.updateTable("incident").set({ events: left }).where("id", "=", target.id).execute();
    return;
  }
  const joined = await ofFailure(
    transaction.selectFrom("incident_failure").select(["events", "last_seen", "merged_from"]),
    target.id,
    anchor,
  ).executeTakeFirst();
  if (!joined) return;
  const heir = joined.merged_from === other.id ? await heirOf(transaction, { other, target, anchor }) : null;
  if (joined.merged_from === other.id && heir === null) {
    const counts = { events: Number(joined.events), last_event_at: joined.last_seen };
    await transaction.updateTable("incident").set(counts).where("id", "=", other.id).execute();
    await ofFailure(transaction.deleteFrom("incident_failure"), target.id, anchor).execute();
    return;
  }
  const left = { events: Math.max(Number(joined.events) - events, 0), merged_from: heir ?? joined.merged_from };
  await ofFailure(transaction.updateTable("incident_failure"), target.id, anchor).set(left).execute();
}

/** Another merged incident of the same failure, which stays. */
async function heirOf(
  transaction: Transaction<ControlTables>,
  { other, target, anchor }: Pick<TwoIncidents, "other" | "target"> & { readonly anchor: Anchor },
): Promise<string | null> {
  const heir = await transaction
    .selectFrom("incident")
    .select("id")
    .where("merged_into", "=", target.id)
    .where("id", "!=", other.id)
    .where("fingerprint", "=", anchor.fingerprint)
    .where("env", "=", anchor.env)
    .where("merged_status", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return heir?.id ?? null;
}

/** The incident toward which a failure counts: its newest one, or the one that this is merged into. */
async function homeOf(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env }: Anchor,
  separated: string,
): Promise<string> {
  const newest = await transaction
    .selectFrom("incident")
    .select(["id", "merged_into"])
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest === undefined || newest.id === separated ? separated : (newest.merged_into ?? newest.id);
}

function anchorOf({ fingerprint, env }: Selectable<IncidentTable>): Anchor | null {
  return fingerprint === null || env === null ? null : { fingerprint, env };
}

function isNamedAfter(incident: Selectable<IncidentTable>, { fingerprint, env }: Anchor): boolean {
  return incident.fingerprint === fingerprint && incident.env === env;
}

/** Limits a statement to one failure that joined an incident. */
function ofFailure<
  Statement extends { where(column: "incident_id" | "fingerprint" | "env", is: "=", value: string): Statement },
>(statement: Statement, incidentId: string, { fingerprint, env }: Anchor): Statement {
  return statement.where("incident_id", "=", incidentId).where("fingerprint", "=", fingerprint).where("env", "=", env);
}
