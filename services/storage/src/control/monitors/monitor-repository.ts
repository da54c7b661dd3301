import { type MonitorChange, type MonitorResult, monitorLimits } from "@whence/protocol";
import { type Kysely, sql, type Transaction } from "kysely";
import { withoutIncident } from "../alerts/alert-tables.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { MonitorDirectory, MonitorRepository, NewMonitor, StoredMonitor, WrittenMonitor } from "./monitor-db.ts";
import { toMonitor, toResult } from "./stored-monitor.ts";

/** {@link MonitorRepository} of one scope. */
export function monitorRepository(db: Kysely<ControlTables>, scopeId: string): MonitorRepository {
  const rows = () => db.selectFrom("monitor").selectAll().where("scope_id", "=", scopeId);
  return {
    async list() {
      return (await rows().orderBy("id").execute()).map(toMonitor);
    },
    async find(id) {
      const row = await rows().where("id", "=", id).executeTakeFirst();
      return row ? toMonitor(row) : null;
    },
    async add(monitor) {
      const row = newRow(scopeId, monitor);
      return toMonitor(await db.insertInto("monitor").values(row).returningAll().executeTakeFirstOrThrow());
    },
    async addOnce(monitor) {
      await db
        .insertInto("monitor")
        .values(newRow(scopeId, monitor))
        .onConflict((conflict) => conflict.column("key_hash").doNothing())
        .execute();
    },
    write: (read, written) => inTransaction(db, (transaction) => write(transaction, scopeId, read, written)),
    async replaceKey(id, keyHash) {
      const { numUpdatedRows } = await db
        .updateTable("monitor")
        .set({ key_hash: keyHash })
        .where("scope_id", "=", scopeId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async results(id, limit) {
      const found = await db
        .selectFrom("monitor_result")
        .selectAll()
        .where("scope_id", "=", scopeId)
        .where("monitor_id", "=", id)
        .orderBy("revision", "desc")
        .limit(limit)
        .execute();
      return found.map(toResult);
    },
    remove: (id) => inTransaction(db, (transaction) => remove(transaction, scopeId, id)),
  };
}

/** {@link MonitorDirectory}. */
export function monitorDirectory(db: Kysely<ControlTables>): MonitorDirectory {
  return {
    async take(now, { holdMs, max }) {
      const until = new Date(now.getTime() + holdMs).toISOString();
      const taken: StoredMonitor[] = [];
      for (const { id, revision } of await due(db, now, max)) {
        const row = await db
          .updateTable("monitor")
          .set({ revision: revision + 1, next_check_at: until })
          .where("id", "=", id)
          .where("revision", "=", revision)
          .returningAll()
          .executeTakeFirst();
        if (row) taken.push(toMonitor(row));
      }
      return taken;
    },
    async ofKey(keyHash) {
      const row = await db.selectFrom("monitor").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
      return row ? toMonitor(row) : null;
    },
  };
}

/** Reads which checks are due, the first of every scope before the second of any. */
function due(db: Kysely<ControlTables>, now: Date, max: number) {
  const waiting = db
    .selectFrom("monitor")
    .select(["id", "revision", "next_check_at"])
    .select(sql<number>`row_number() over (partition by scope_id order by next_check_at, id)`.as("place"))
    .where("next_check_at", "<=", now.toISOString());
  return db
    .selectFrom(waiting.as("waiting"))
    .select(["id", "revision"])
    .orderBy("place")
    .orderBy("next_check_at")
    .limit(max)
    .execute();
}

async function write(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { id, revision }: Pick<StoredMonitor, "id" | "revision">,
  { progress, nextCheckAt, change, result }: WrittenMonitor,
): Promise<StoredMonitor | null> {
  const row = await transaction
    .updateTable("monitor")
    .set({ progress_json: JSON.stringify(progress), next_check_at: nextCheckAt, revision: revision + 1 })
    .set(change ? columnsOf(change) : {})
    .where("scope_id", "=", scopeId)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  if (result) await keep(transaction, scopeId, { id, revision }, result);
  return toMonitor(row);
}

/** Keeps a result, and forgets the oldest. */
async function keep(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { id, revision }: Pick<StoredMonitor, "id" | "revision">,
  result: MonitorResult,
): Promise<void> {
  await transaction
    .insertInto("monitor_result")
    .values({ monitor_id: id, scope_id: scopeId, revision, ...result })
    .execute();
  const oldest = transaction
    .selectFrom("monitor_result")
    .select("revision")
    .where("monitor_id", "=", id)
    .orderBy("revision", "desc")
    .offset(monitorLimits.monitorResultsMax)
    .limit(1);
  await transaction.deleteFrom("monitor_result").where("monitor_id", "=", id).where("revision", "<=", oldest).execute();
}

async function remove(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
): Promise<StoredMonitor | null> {
  const row = await transaction
    .deleteFrom("monitor")
    .where("scope_id", "=", scopeId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  await transaction.deleteFrom("monitor_result").where("scope_id", "=", scopeId).where("monitor_id", "=", id).execute();
  await transaction
    .deleteFrom("alert")
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", id)
    .where("incident_id", "=", withoutIncident)
    .execute();
  return toMonitor(row);
}

function newRow(scopeId: string, { change, progress, keyHash, nextCheckAt, by, now }: NewMonitor) {
  return {
    id: newId("mon_"),
    scope_id: scopeId,
    ...columnsOf(change),
    progress_json: JSON.stringify(progress),
    key_hash: keyHash,
    next_check_at: nextCheckAt,
    created_at: now.toISOString(),
    user_id: by.id,
    user_name: by.name,
  };
}

function columnsOf({ name, severity, service, env, alert_after, check }: MonitorChange) {
  return { name, severity, service, env, alert_after, check_json: JSON.stringify(check) };
}
