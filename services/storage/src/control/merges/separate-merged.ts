import type { Actor } from "@whence/protocol";
import type { Selectable, Transaction } from "kysely";
import { refineSoon } from "../failures/joined-failures.ts";
import { lockIncident } from "../lifecycle/lock-incident.ts";
import { lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { withdrawResolution } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { giveFailuresBack, lockFailures } from "./merged-failures.ts";
import { noteMerge } from "./note-merge.ts";

type IncidentRow = Selectable<IncidentTable>;

/** Two locked incidents: someone merged `other` into `target`. */
interface MergedIncidents {
  readonly scopeId: string;
  readonly other: IncidentRow;
  readonly target: IncidentRow;
  /** The actor who separates them. */
  readonly by: Actor;
  readonly now: Date;
}

/**
 * Gives an incident its failures and its state back, and notes who did; returns false when no one had merged it into the
 * other.
 */
export async function giveBack(
  transaction: Transaction<ControlTables>,
  { scopeId, other, target, by, now }: MergedIncidents,
): Promise<boolean> {
  if (other.merged_status === null || other.merged_into !== target.id) return false;
  await giveFailuresBack(transaction, { scopeId, other, target });
  await transaction
    .updateTable("incident")
    .set({ status: other.merged_status, merged_status: null, merged_into: null })
    .where("id", "=", other.id)
    .execute();
  await refineSoon(transaction, other.id, now);
  if (lifecycleOf(other).state !== "resolved") await withdrawResolution(transaction, other.id);
  await noteMerge(transaction, { scopeId, what: "separated", other, target, by, now });
  return true;
}

/**
 * Separates what people merged into incidents that are about to be removed: who removes one incident, or the data of one
 * service, doesn't mean those.
 */
export async function separateMerged(
  transaction: Transaction<ControlTables>,
  { scopeId, by, now }: Pick<MergedIncidents, "scopeId" | "by" | "now">,
  targetIds: readonly string[],
): Promise<void> {
  const merged = await transaction
    .selectFrom("incident")
    .select("id")
    .where("scope_id", "=", scopeId)
    .where("merged_into", "in", targetIds)
    .where("merged_status", "is not", null)
    .orderBy("id")
    .execute();
  if (merged.length === 0) return;
  const ids = merged.map(({ id }) => id);
  await lockFailures(transaction, scopeId, targetIds);
  const rows = await lockAll(transaction, scopeId, [...targetIds, ...ids]);
  for (const id of ids) {
    const other = rows.get(id);
    const target = rows.get(other?.merged_into ?? "");
    if (other && target) await giveBack(transaction, { scopeId, other, target, by, now });
  }
}

/** Locks incidents in one order, so that two that change the same ones wait for each other. */
export async function lockAll(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IncidentRow>> {
  const rows = new Map<string, IncidentRow>();
  for (const id of ids.toSorted()) {
    const row = await lockIncident(transaction, scopeId, id);
    if (row) rows.set(id, row);
  }
  return rows;
}
