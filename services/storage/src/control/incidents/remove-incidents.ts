import type { Actor } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { separateMerged } from "../merges/separate-merged.ts";
import type { ControlTables } from "../tables.ts";

/** Incidents removed in one transaction: each may hold 20 MiB of files. */
const incidentsAtOnce = 10;

/** The incidents of a scope to remove. */
export interface RemovedIncidents {
  readonly scopeId: string;
  readonly id?: string;
  readonly service?: string;
  /** The actor who removes one incident or those of one service; null when everything is removed. */
  readonly by: Actor | null;
  readonly now: Date;
}

/**
 * Removes incidents with everything that belongs to them: inputs, reports, steps, predictions, verdicts, messages about
 * them, alerts, conversations, and incidents merged into them, except by people. Also removes the history of their
 * failures, so that a failure that continues is a new one. Works in small steps while other work continues. Returns the
 * number of removed incidents.
 */
export async function removeIncidents(db: Kysely<ControlTables>, which: RemovedIncidents): Promise<number> {
  let removed = 0;
  for (;;) {
    const step = await inTransaction(db, (transaction) => removeSome(transaction, which));
    removed += step;
    if (step < incidentsAtOnce) return removed;
  }
}

async function removeSome(transaction: Transaction<ControlTables>, which: RemovedIncidents): Promise<number> {
  const { scopeId, id, service, by, now } = which;
  let found = transaction.selectFrom("incident").select("id").where("scope_id", "=", scopeId).limit(incidentsAtOnce);
  if (id !== undefined) found = found.where("id", "=", id);
  if (service !== undefined) found = found.where("service", "=", service);
  const named = (await found.execute()).map((row) => row.id);
  if (named.length === 0) return 0;
  if (by) await separateMerged(transaction, { scopeId, by, now }, named);
  const merged = await transaction.selectFrom("incident").select("id").where("merged_into", "in", named).execute();
  const ids = [...named, ...merged.map((row) => row.id)];
  await forgetFailures(transaction, scopeId, ids);
  for (const table of [
    ...(["notification_occasion", "notification_delivery", "notification_held_back", "alert", "conversation"] as const),
  ]) {
    await transaction.deleteFrom(table).where("incident_id", "in", ids).execute();
  }
  await transaction.deleteFrom("incident").where("id", "in", ids).execute();
  return named.length;
}

async function forgetFailures(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentIds: readonly string[],
): Promise<void> {
  const failures = await transaction
    .deleteFrom("failure")
    .where("scope_id", "=", scopeId)
    .where("incident_id", "in", incidentIds)
    .returning(["fingerprint", "env"])
    .execute();
  for (const { fingerprint, env } of failures) {
    await transaction
      .deleteFrom("failure_decision")
      .where("scope_id", "=", scopeId)
      .where("fingerprint", "=", fingerprint)
      .where("env", "=", env)
      .execute();
  }
}
