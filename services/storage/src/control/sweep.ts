import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "./databases/in-transaction.ts";
import { removeIncidents } from "./incidents/remove-incidents.ts";
import type { ControlTables } from "./tables.ts";

/** Removes what expired before the moment: unclaimed agents with all they own, sessions, and attempts. */
export async function sweep(db: Kysely<ControlTables>, expiredBefore: Date, max: number): Promise<number> {
  const sessions = await inTransaction(db, (transaction) => sweepSessions(transaction, expiredBefore, max));
  const attempts = await inTransaction(db, (transaction) => sweepAttempts(transaction, expiredBefore, max - sessions));
  const expired = await expiredAgents(db, expiredBefore)
    .select("id")
    .orderBy("expires_at")
    .limit(max - sessions - attempts)
    .execute();
  let agents = 0;
  for (const { id } of expired) {
    await removeIncidents(db, { scopeId: id, by: null, now: expiredBefore });
    agents += await inTransaction(db, (transaction) => removeAgent(transaction, id, expiredBefore));
  }
  return sessions + attempts + agents;
}

/** No claim meets one of these: the token of an agent that expired is refused. */
function expiredAgents(db: Kysely<ControlTables>, expiredBefore: Date) {
  return db.selectFrom("agent").where("claimed_at", "is", null).where("expires_at", "<", expiredBefore.toISOString());
}

/** With its key, by the key's reference to it. */
async function removeAgent(transaction: Transaction<ControlTables>, id: string, expiredBefore: Date): Promise<number> {
  for (const table of [
    "incident",
    "failure_decision",
    "failure",
    "secret",
    "incident_thresholds",
    "exited_process",
    "incident_opening",
  ] as const) {
    await transaction.deleteFrom(table).where("scope_id", "=", id).execute();
  }
  const { numDeletedRows } = await transaction
    .deleteFrom("agent")
    .where("id", "=", id)
    .where("claimed_at", "is", null)
    .where("expires_at", "<", expiredBefore.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function sweepAttempts(db: Transaction<ControlTables>, lastBefore: Date, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("password_attempt")
    .where("aim", "in", (select) =>
      select.selectFrom("password_attempt").select("aim").where("last_at", "<", lastBefore.toISOString()).limit(max),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function sweepSessions(db: Transaction<ControlTables>, expiredBefore: Date, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("session")
    .where("id", "in", (select) =>
      select.selectFrom("session").select("id").where("expiresAt", "<", expiredBefore.toISOString()).limit(max),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
