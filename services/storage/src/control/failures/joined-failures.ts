import { type JoinedFailure, triggerSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { below } from "../incidents/severity.ts";
import { askAgain } from "../investigations/investigation-message.ts";
import { moveOccasions } from "../notifications/notification-occasion.ts";
import type { ControlTables } from "../tables.ts";
import type { Occurrences } from "./failure-db.ts";
import type { Joining, OpenIncidents, OpenIncidentsFilter, RecentIncident } from "./joining-db.ts";

/** More recent incidents than these are not looked at: a storm of unlike failures. */
const recentMax = 100;
/** Joined failures that an incident shows. */
const shownMax = 100;
/** Failures that join shortly after each other are looked at together. */
export const refineAfterJoinMs = 10_000;
/** A report with this many versions isn't refined for further failures that join. */
const refinedVersionsMax = 8;

/** Thrown to roll back a decision when another process opened or renamed an incident since it began. */
export class OvertakenError extends Error {}

/** The incidents of telemetry that opened since then, the newest first, and how many the scope ever opened. */
export async function openIncidents(
  db: Kysely<ControlTables>,
  scopeId: string,
  { env, since, incidentId = "" }: OpenIncidentsFilter,
): Promise<OpenIncidents> {
  // Counted first: an incident that opens in between is one too many then, and found out.
  const opened = await db
    .selectFrom("incident_opening")
    .select("opened")
    .where("scope_id", "=", scopeId)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("incident")
    .select(["id", "service", "fingerprint", "trigger_json", "title"])
    .where("scope_id", "=", scopeId)
    .where("env", "=", env)
    .where(({ or, eb }) => or([eb("created_at", ">=", since.toISOString()), eb("id", "=", incidentId)]))
    .where("trigger_kind", "in", ["event", "process-exit"])
    .where("status", "!=", "merged")
    // What is over, or unwanted, doesn't explain a new failure.
    .where(({ or, eb }) => or([eb("state", "in", ["open", "muted"]), eb("id", "=", incidentId)]))
    .orderBy("id", "desc")
    .limit(recentMax)
    .execute();
  const joined = await failuresOf(
    db,
    rows.map(({ id }) => id),
  );
  return {
    opened: Number(opened?.opened ?? 0),
    incidents: rows.flatMap(({ id, service, fingerprint, title, trigger_json: trigger }): RecentIncident[] => {
      if (service === null || fingerprint === null) return [];
      const others = joined.filter(({ incident_id }) => incident_id === id);
      return [{ id, service, fingerprint, title, isEnd: isEnd(trigger), joined: others }];
    }),
  };
}

function isEnd(trigger: string): boolean {
  const read = triggerSchema.parse(JSON.parse(trigger));
  return read.kind === "process-exit" || (read.kind === "event" && !read.handled);
}

function failuresOf(db: Kysely<ControlTables>, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("incident_failure")
    .select(["incident_id", "service", "fingerprint"])
    .where("incident_id", "in", ids)
    .execute();
}

/** The failures that joined an incident, the first to join first. */
export async function joinedFailures(db: Kysely<ControlTables>, incidentId: string): Promise<JoinedFailure[]> {
  const rows = await db
    .selectFrom("incident_failure")
    .selectAll()
    .where("incident_id", "=", incidentId)
    .orderBy("joined_at")
    .orderBy("fingerprint")
    .limit(shownMax)
    .execute();
  return rows.map(({ fingerprint, service, title, rule, reason, ...row }) => ({
    fingerprint,
    service,
    title,
    rule,
    reason,
    event_id: row.event_id,
    events: Number(row.events),
    first_seen: row.first_seen,
    last_seen: row.last_seen,
    joined_at: row.joined_at,
    ...(row.merged_from === null ? {} : { merged_from: row.merged_from }),
  }));
}

/** The services of the failures that joined, by incident. */
export async function joinedServices(
  db: Kysely<ControlTables>,
  incidentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await failuresOf(db, incidentIds);
  const byIncident = Map.groupBy(rows, ({ incident_id: id }) => id);
  return new Map(
    [...byIncident].map(([id, joined]) => [id, [...new Set(joined.map(({ service }) => service))].toSorted()]),
  );
}

/** Counts an incident that the scope's telemetry opens; rejects when it had not opened `seen` before. */
export async function countOpening(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  seen: number | null,
): Promise<void> {
  const { opened } = await transaction
    .insertInto("incident_opening")
    .values({ scope_id: scopeId, opened: 1 })
    .onConflict((conflict) =>
      conflict.column("scope_id").doUpdateSet((set) => ({ opened: set("incident_opening.opened", "+", 1) })),
    )
    .returning("opened")
    .executeTakeFirstOrThrow();
  if (seen !== null && Number(opened) !== seen + 1) throw new OvertakenError("another incident opened in the meantime");
}

/** Counts occurrences of a failure that joined the incident; false when it did not. */
export async function countJoined(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  { fingerprint, env, events, lastAt, eventId }: Occurrences,
): Promise<boolean> {
  const last = new Date(lastAt).toISOString();
  const { numUpdatedRows } = await transaction
    .updateTable("incident_failure")
    .set((set) => ({
      events: set("events", "+", events),
      event_id: eventId,
      last_seen: set.case().when("last_seen", ">", last).then(set.ref("last_seen")).else(last).end(),
    }))
    .where("incident_id", "=", incidentId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records that it was just checked whether the failure still belongs to the incident that it joined. */
export async function noteChecked(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  { fingerprint, env, now }: Pick<Occurrences, "fingerprint" | "env" | "now">,
  { reason }: { readonly reason: string },
): Promise<void> {
  await transaction
    .updateTable("incident_failure")
    .set({ checked_at: now.toISOString(), reason })
    .where("incident_id", "=", incidentId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .execute();
}

/** Removes a failure from the incident that it joined. */
export async function leaveIncident(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  { fingerprint, env }: Pick<Occurrences, "fingerprint" | "env">,
): Promise<void> {
  await transaction
    .deleteFrom("incident_failure")
    .where("incident_id", "=", incidentId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .execute();
}

/**
 * Adds the failure to the incident, or renames the incident after it. Rejects when the incident is named after another
 * failure than the one the decision was based on.
 */
export async function joinIncident(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  joining: Joining,
  joined: NewJoined,
): Promise<void> {
  const { incidentId, anchor, root, severity } = joining;
  const incident = await transaction
    .updateTable("incident")
    // Holds the row until the end as well.
    .set((set) => ({
      severity: set
        .case()
        .when("severity", "in", [severity, ...below(severity)])
        .then(severity)
        .else(set.ref("severity"))
        .end(),
    }))
    .where("id", "=", incidentId)
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", anchor)
    .where("status", "!=", "merged")
    .returningAll()
    .executeTakeFirst();
  if (!incident) throw new OvertakenError(`incident ${incidentId} is now named after another failure`);
  if (!root) {
    await insertJoined(transaction, incidentId, joined);
    return refineSoon(transaction, incidentId, joined.now);
  }
  const input = await transaction
    .selectFrom("incident_input")
    .select("event_id")
    .where("incident_id", "=", incidentId)
    .executeTakeFirstOrThrow();
  await insertJoined(transaction, incidentId, {
    fingerprint: anchor,
    env: incident.env ?? joined.env,
    service: incident.service ?? "",
    title: incident.title,
    rule: joined.rule,
    reason: root.formerReason,
    eventId: input.event_id ?? "",
    now: joined.now,
    events: Number(incident.events),
    firstAt: incident.created_at,
    lastAt: incident.last_event_at ?? incident.created_at,
  });
  await leaveIncident(transaction, incidentId, joined);
  await nameAfter(transaction, scopeId, { ...joining, root }, joined, incident);
}

/** A failure about to join. */
export type NewJoined = Omit<Occurrences, "release"> & {
  readonly title: string;
  readonly rule: string;
  readonly reason: string;
  /** The incident with which it is merged by hand. */
  readonly mergedFrom?: string;
};

/** A report is checked again soon, also a final one, because what joined, came back, or failed again may add evidence. */
export async function refineSoon(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  now: Date,
): Promise<void> {
  const at = new Date(now.getTime() + refineAfterJoinMs).toISOString();
  await transaction
    .updateTable("incident")
    .set(({ fn, val }) => ({ refine_at: at, refined_until: fn.coalesce("refined_until", val(at)) }))
    .where("id", "=", incidentId)
    .where("trigger_kind", "=", "event")
    .where("status", "=", "completed")
    .where("version", "<", refinedVersionsMax)
    .where(({ eb, or }) => or([eb("refine_at", "is", null), eb("refine_at", ">", at)]))
    .execute();
}

export async function insertJoined(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  joined: NewJoined,
): Promise<void> {
  const { fingerprint, env, service, title, rule, reason, eventId, events, firstAt, lastAt, now } = joined;
  const at = now.toISOString();
  const [first, last] = [new Date(firstAt).toISOString(), new Date(lastAt).toISOString()];
  await transaction
    .insertInto("incident_failure")
    .values({
      incident_id: incidentId,
      fingerprint,
      env,
      service,
      title,
      rule,
      reason,
      event_id: eventId,
      events,
      first_seen: first,
      last_seen: last,
      joined_at: at,
      checked_at: at,
      merged_from: joined.mergedFrom ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(["incident_id", "fingerprint", "env"]).doUpdateSet((set) => ({
        rule,
        reason,
        checked_at: at,
        event_id: eventId,
        last_seen: last,
        events: set("incident_failure.events", "+", events),
      })),
    )
    .execute();
}

/** Names the incident after what its failure follows from, and has it investigated again. */
async function nameAfter(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { incidentId, root }: Joining & { readonly root: NonNullable<Joining["root"]> },
  { service, fingerprint, events, lastAt, now }: NewJoined,
  before: { readonly status: string; readonly attempt: number },
): Promise<void> {
  const { title, trigger, eventId, heldUntil = null } = root;
  const isAsked = before.status === "queued";
  await transaction
    .updateTable("incident")
    .set({
      title,
      service,
      fingerprint,
      trigger_kind: trigger.kind,
      trigger_json: JSON.stringify(trigger),
      events,
      last_event_at: new Date(lastAt).toISOString(),
      held_until: heldUntil?.toISOString() ?? null,
      ...(isAsked ? {} : { status: "queued", started_at: null, completed_at: null, failure_json: null }),
    })
    .where("id", "=", incidentId)
    .execute();
  if (eventId !== null) {
    await transaction
      .updateTable("incident_input")
      .set({ event_id: eventId })
      .where("incident_id", "=", incidentId)
      .execute();
  }
  await moveOccasions(transaction, incidentId, heldUntil ?? now);
  if (isAsked) return;
  await transaction.deleteFrom("incident_step").where("incident_id", "=", incidentId).execute();
  await askAgain(transaction, { incidentId, scopeId, after: `after-${before.attempt}` });
}
