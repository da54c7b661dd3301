import { dayMs, watchLimits, watchPlaceSchema, watchStates } from "@whence/protocol";
import { type Kysely, type Selectable, type SelectQueryBuilder, sql, type Transaction } from "kysely";
import { z } from "zod";
import { writeEntry } from "../audit/audit-log.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { refineSoon } from "../failures/joined-failures.ts";
import { newId } from "../ids.ts";
import { holdOrganization } from "../incidents/input-room.ts";
import { lockIncident } from "../lifecycle/lock-incident.ts";
import type { ControlTables } from "../tables.ts";
import type {
  AddedPlaceWatch,
  NewPlaceWatch,
  PlaceWatchRepository,
  ProcessAnswer,
  Sighting,
  StoredPlaceWatch,
  WatchedProgram,
} from "./place-watch-db.ts";
import type { PlaceWatchTable } from "./place-watch-tables.ts";

/** How long an ended watch is kept, for what it saw. */
const keptMs = 30 * dayMs;
const processesSchema = z.array(
  z.object({ instance: z.string(), state: z.enum(watchStates), reason: z.string().nullable(), at: z.string() }),
);
const placesSchema = z.array(watchPlaceSchema);

type Rows = SelectQueryBuilder<ControlTables, "place_watch", Selectable<PlaceWatchTable>>;

/** The watched places of one scope. */
export function placeWatchRepository(db: Kysely<ControlTables>, scopeId: string): PlaceWatchRepository {
  const rows = (): Rows => rowsOf(db, scopeId);
  return {
    add: (watch) => inTransaction(db, (transaction) => addWatch(transaction, scopeId, watch)),
    stop: (incidentId, by, now) =>
      inTransaction(db, async (transaction) => {
        const at = now.toISOString();
        const stopped = await transaction
          .updateTable("place_watch")
          .set({ stopped_at: at })
          .where("scope_id", "=", scopeId)
          .where("incident_id", "=", incidentId)
          .where("stopped_at", "is", null)
          .where("expires_at", ">", at)
          .returningAll()
          .executeTakeFirst();
        if (!stopped) return null;
        await writeEntry(transaction, scopeId, { action: "incident.watch-stopped", target: incidentId, by, now });
        return toWatch(stopped);
      }),
    async last(incidentId) {
      const row = await rows().where("incident_id", "=", incidentId).orderBy("id", "desc").limit(1).executeTakeFirst();
      return row ? toWatch(row) : null;
    },
    async running(now) {
      const found = await running(rows(), now).orderBy("id", "desc").execute();
      return found.map(toWatch);
    },
    async runningIn(program, now) {
      const row = await running(inProgram(rows(), program), now).executeTakeFirst();
      return row ? toWatch(row) : null;
    },
    note: (order, became, now) =>
      inTransaction(db, (transaction) => noteProcesses(transaction, scopeId, { order, became, now })),
    saw: (sighting) => inTransaction(db, (transaction) => saw(transaction, scopeId, sighting)),
  };
}

function rowsOf(db: Pick<Kysely<ControlTables>, "selectFrom">, scopeId: string): Rows {
  return db.selectFrom("place_watch").selectAll().where("scope_id", "=", scopeId);
}

function running(rows: Rows, now: Date): Rows {
  return rows.where("stopped_at", "is", null).where("expires_at", ">", now.toISOString());
}

function inProgram(rows: Rows, { service, env, release }: WatchedProgram): Rows {
  return rows.where("service", "=", service).where("env", "=", env).where("release", "=", release);
}

async function addWatch(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  watch: NewPlaceWatch,
): Promise<AddedPlaceWatch> {
  const { incidentId, service, env, release, by, now } = watch;
  // Two additions take turns, so that a program isn't watched twice.
  await holdOrganization(transaction, scopeId);
  if (!(await lockIncident(transaction, scopeId, incidentId))) return { outcome: "unknown" };
  const before = await running(inProgram(rowsOf(transaction, scopeId), watch), now).executeTakeFirst();
  if (before) return { outcome: "running", watch: toWatch(before) };
  await transaction
    .deleteFrom("place_watch")
    .where("scope_id", "=", scopeId)
    .where("expires_at", "<", new Date(now.getTime() - keptMs).toISOString())
    .execute();
  const id = newId("wat_");
  const row: Selectable<PlaceWatchTable> = {
    id,
    scope_id: scopeId,
    incident_id: incidentId,
    service,
    env,
    release,
    order_text: watch.sign(id),
    key_text: watch.key,
    places_json: JSON.stringify(watch.places),
    created_at: now.toISOString(),
    user_id: by.id,
    user_name: by.name.toWellFormed(),
    expires_at: watch.expiresAt.toISOString(),
    stopped_at: null,
    processes_json: null,
    seen_event_ids: null,
    seen_at: null,
    seen: 0,
  };
  await transaction.insertInto("place_watch").values(row).execute();
  await writeEntry(transaction, scopeId, { action: "incident.watched", target: incidentId, by, now });
  return { outcome: "added", watch: toWatch(row) };
}

async function saw(transaction: Transaction<ControlTables>, scopeId: string, sighting: Sighting): Promise<void> {
  const { order, fingerprint, env, eventId, sightingsMax, now } = sighting;
  // A client names the order, so it counts only for the incident of its own failure.
  const ofFailure = transaction
    .selectFrom("failure")
    .select("incident_id")
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env);
  const row = await transaction
    .updateTable("place_watch")
    .set((set) => ({
      seen: set("seen", "+", 1),
      seen_at: now.toISOString(),
      seen_event_ids: sql<string>`coalesce(seen_event_ids || ' ', '') || ${eventId}`,
    }))
    .where("scope_id", "=", scopeId)
    .where("id", "=", order)
    .where("seen", "<", sightingsMax)
    .where((where) =>
      where.or([where("seen_event_ids", "is", null), where("seen_event_ids", "not like", `%${eventId}%`)]),
    )
    .where("incident_id", "in", ofFailure)
    .returning("incident_id")
    .executeTakeFirst();
  if (row) await refineSoon(transaction, row.incident_id, now);
}

async function noteProcesses(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  noted: { readonly order: string; readonly became: ReadonlyMap<string, ProcessAnswer>; readonly now: Date },
): Promise<void> {
  const { order, became, now } = noted;
  // The update changes nothing, but locks the row on every database.
  const row = await transaction
    .updateTable("place_watch")
    .set({ id: order })
    .where("scope_id", "=", scopeId)
    .where("id", "=", order)
    .returning("processes_json")
    .executeTakeFirst();
  if (!row) return;
  const others = processesOf(row.processes_json).filter(({ instance }) => !became.has(instance));
  const changed = [...became].map(([instance, { state, reason }]) => ({
    instance: instance.toWellFormed(),
    state,
    reason: reason?.toWellFormed() ?? null,
    at: now.toISOString(),
  }));
  const kept = [...others, ...changed].slice(-watchLimits.watchProcessesMax);
  await transaction
    .updateTable("place_watch")
    .set({ processes_json: JSON.stringify(kept) })
    .where("scope_id", "=", scopeId)
    .where("id", "=", order)
    .execute();
}

function processesOf(json: string | null): StoredPlaceWatch["processes"] {
  return json === null ? [] : processesSchema.parse(JSON.parse(json));
}

function toWatch(row: Selectable<PlaceWatchTable>): StoredPlaceWatch {
  const { seen_at: seenAt } = row;
  const eventIds = row.seen_event_ids?.split(" ") ?? [];
  const eventId = eventIds.at(-1);
  return {
    id: row.id,
    incidentId: row.incident_id,
    service: row.service,
    env: row.env,
    release: row.release,
    order: row.order_text,
    key: row.key_text,
    places: placesSchema.parse(JSON.parse(row.places_json)),
    createdAt: row.created_at,
    createdBy: row.user_name,
    expiresAt: row.expires_at,
    stoppedAt: row.stopped_at,
    processes: processesOf(row.processes_json),
    seen:
      eventId !== undefined && seenAt !== null ? { failures: Number(row.seen), eventId, eventIds, at: seenAt } : null,
  };
}
