import {
  type Actor,
  type AuditAction,
  changeLifecycle,
  type LifecycleAction,
  type LifecycleChange,
} from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { readHistory } from "../failures/failure-history.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { applyTransition } from "./apply-transition.ts";
import type { LifecycleOutcome, LifecycleRepository } from "./lifecycle-db.ts";
import { lifecycleOf } from "./stored-lifecycle.ts";

const audited: Readonly<Record<LifecycleAction, AuditAction>> = {
  resolve: "incident.resolved",
  mute: "incident.muted",
  ignore: "incident.ignored",
  reopen: "incident.reopened",
};

/** What people decide about the incidents of one scope. */
export function lifecycleRepository(db: Kysely<ControlTables>, scopeId: string): LifecycleRepository {
  return {
    change: (incidentId, change, by, now) =>
      inTransaction(db, (transaction) => changeIncident(transaction, { scopeId, incidentId, change, by, now })),
  };
}

interface AskedChange {
  readonly scopeId: string;
  readonly incidentId: string;
  readonly change: LifecycleChange;
  readonly by: Actor;
  readonly now: Date;
}

async function changeIncident(
  transaction: Transaction<ControlTables>,
  { scopeId, incidentId, change, by, now }: AskedChange,
): Promise<LifecycleOutcome> {
  const incident = await lockIncident(transaction, scopeId, incidentId);
  if (!incident) return { outcome: "unknown" };
  if (incident.merged_into !== null) return { outcome: "merged", into: incident.merged_into };
  const releases = await releasesOf(transaction, scopeId, incidentId);
  if (change.action === "resolve" && change.in === "next-release" && releases.length === 0)
    return { outcome: "no-release" };
  const transition = changeLifecycle(lifecycleOf(incident), { change, by, releases, now });
  if (transition === "unchanged" || transition === "refused") return { outcome: transition };
  await applyTransition(transaction, incident, transition, now);
  const target = `${incidentId}: ${incident.title}`;
  await writeEntry(transaction, scopeId, { action: audited[change.action], target, by, now });
  return { outcome: "changed" };
}

/** The incident, locked until the transaction ends: the update changes nothing, but locks the row on every database. */
function lockIncident(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
): Promise<Selectable<IncidentTable> | undefined> {
  return transaction
    .updateTable("incident")
    .set({ id })
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .returningAll()
    .executeTakeFirst();
}

/** The releases in which the failures of an incident are known. */
async function releasesOf(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom("failure")
    .select("history_json")
    .where("scope_id", "=", scopeId)
    .where("incident_id", "=", incidentId)
    .execute();
  const known = rows.flatMap(({ history_json: json }) => (json === null ? [] : readHistory(json).releases));
  return [...new Set(known)].toSorted();
}
