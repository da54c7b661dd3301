import {
  type Actor,
  type AuditAction,
  changeLifecycle,
  type LifecycleAction,
  type LifecycleChange,
} from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { type FailureHistory, readHistory } from "../failures/failure-history.ts";
import { isAgentScope } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import { applyTransition } from "./apply-transition.ts";
import type { LifecycleOutcome, LifecycleRepository } from "./lifecycle-db.ts";
import { lockIncident } from "./lock-incident.ts";
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
  const histories = await historiesOf(transaction, scopeId, incidentId);
  const releases = releasesOf(histories);
  const transition = changeLifecycle(lifecycleOf(incident), { change, by, releases, now });
  if (transition === "unchanged" || transition === "refused") return { outcome: transition };
  if (change.action === "mute" && change.until.kind !== "time" && histories.length === 0)
    return { outcome: "no-failure" };
  if (change.action === "resolve" && change.in === "next-release" && releases.length === 0)
    return { outcome: "no-release" };
  await applyTransition(transaction, incident, transition, now);
  // An agent that no organization has claimed has no audit log.
  if (!isAgentScope(scopeId))
    await writeEntry(transaction, scopeId, { action: audited[change.action], target: incidentId, by, now });
  return { outcome: "changed" };
}

/** The histories of an incident's failures; empty where it opened for an alert or a text. */
async function historiesOf(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
): Promise<readonly FailureHistory[]> {
  const rows = await transaction
    .selectFrom("failure")
    .select("history_json")
    .where("scope_id", "=", scopeId)
    .where("incident_id", "=", incidentId)
    .execute();
  return rows.flatMap(({ history_json: json }) => (json === null ? [] : readHistory(json)));
}

/** The releases in which failures are known, with the latest one: only the first ones are remembered. */
function releasesOf(histories: readonly FailureHistory[]): readonly string[] {
  const known = histories.flatMap(({ releases, release }) => [...releases, release]);
  return [...new Set(known)].filter((release) => release !== "").toSorted();
}
