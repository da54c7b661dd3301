import type { Transaction } from "kysely";
import type { Allowance } from "../access/allowance.ts";
import { SourceAllowanceSpent } from "../sources/source-allowance.ts";
import type { ControlTables } from "../tables.ts";

/**
 * Rejects with {@link SourceAllowanceSpent} when alerts of the scope's monitors have opened as many incidents as they may.
 * An analyzer on another machine that opens one at the same moment may exceed it by one.
 */
export async function requireMonitorsRoom(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  allowance: Allowance,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - allowance.spanMs).toISOString();
  const ofMonitors = transaction
    .selectFrom("alert")
    .innerJoin("monitor", "monitor.id", "alert.source_id")
    .select("alert.incident_id")
    .where("alert.scope_id", "=", scopeId)
    .where("alert.announced_at", ">", since);
  const { opened } = await transaction
    .selectFrom("incident")
    .select(({ fn }) => fn.countAll<number | string>().as("opened"))
    .where("scope_id", "=", scopeId)
    .where("trigger_kind", "=", "alert")
    .where("created_at", ">", since)
    .where("id", "in", ofMonitors)
    .executeTakeFirstOrThrow();
  if (Number(opened) >= allowance.max) throw new SourceAllowanceSpent(allowance);
}
