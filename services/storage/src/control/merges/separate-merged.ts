import type { Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import { giveFailuresBack } from "./merged-failures.ts";

/**
 * Gives incidents that people merged into others their failures and their state back, before the others are removed: who
 * removes one incident, or the data of one service, doesn't mean those.
 */
export async function separateMerged(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  targetIds: readonly string[],
): Promise<void> {
  const incidents = transaction.selectFrom("incident").selectAll().where("scope_id", "=", scopeId);
  const targets = new Map((await incidents.where("id", "in", targetIds).execute()).map((row) => [row.id, row]));
  const merged = await incidents
    .where("merged_into", "in", targetIds)
    .where("merged_status", "is not", null)
    .orderBy("id")
    .execute();
  for (const other of merged) {
    const target = targets.get(other.merged_into ?? "");
    if (!target || other.merged_status === null) continue;
    await giveFailuresBack(transaction, { scopeId, other, target });
    await transaction
      .updateTable("incident")
      .set({ status: other.merged_status, merged_status: null, merged_into: null })
      .where("id", "=", other.id)
      .execute();
  }
}
