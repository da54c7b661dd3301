import { dayMs } from "@whence/protocol";
import type { Kysely } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import { removeInputs } from "./incident-input.ts";

/**
 * Removes the texts and files of analyses that are older than their organization keeps things, or else the service;
 * `max` of them at most. Incidents and reports stay. Returns how many inputs were removed.
 */
export async function expireInputs(
  db: Kysely<ControlTables>,
  { now, retentionDays, max }: { now: Date; retentionDays: number; max: number },
): Promise<number> {
  const chosen = await db
    .selectFrom("organization_settings")
    .select(["organization_id", "retention_days"])
    .where("retention_days", "is not", null)
    .execute();
  let removed = await expire(db, { before: daysBefore(now, retentionDays), max, scopeId: null });
  for (const { organization_id: scopeId, retention_days: days } of chosen) {
    if (removed >= max) break;
    removed += await expire(db, { before: daysBefore(now, days ?? retentionDays), max: max - removed, scopeId });
  }
  return removed;
}

/** Of one scope, or of all that have chosen no time of their own. */
async function expire(
  db: Kysely<ControlTables>,
  { before, max, scopeId }: { before: string; max: number; scopeId: string | null },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const expired = transaction
      .selectFrom("incident")
      .select("id")
      .where("input_bytes", ">", 0)
      .where("created_at", "<", before)
      .where("status", "not in", ["queued", "investigating"])
      .limit(max);
    const own = transaction.selectFrom("organization_settings").select("organization_id");
    const found =
      scopeId === null
        ? expired.where("scope_id", "not in", own.where("retention_days", "is not", null))
        : expired.where("scope_id", "=", scopeId);
    const ids = (await found.execute()).map(({ id }) => id);
    await removeInputs(transaction, ids);
    return ids.length;
  });
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}
