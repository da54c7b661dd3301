import type { Transition } from "@whence/protocol";
import type { Selectable, Transaction } from "kysely";
import { requeue } from "../investigations/requeue.ts";
import { noteOccasion, withdrawResolution } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { writeActivity } from "./incident-activity.ts";
import { lifecycleColumns } from "./stored-lifecycle.ts";

/** Stores a change of an incident whose row is locked, with what follows from it. */
export async function applyTransition(
  transaction: Transaction<ControlTables>,
  { id, scope_id: scopeId }: Pick<Selectable<IncidentTable>, "id" | "scope_id">,
  { lifecycle, activity, announces, investigates }: Transition,
  now: Date,
): Promise<void> {
  // No one has seen that it is back.
  const unseen = announces === "returned" ? { acknowledged_json: null } : {};
  const columns = { ...lifecycleColumns(lifecycle), ...unseen };
  await transaction.updateTable("incident").set(columns).where("id", "=", id).execute();
  if (activity) await writeActivity(transaction, id, activity);
  if (lifecycle.state === "open") await withdrawResolution(transaction, id);
  if (announces) {
    const version = lifecycle.returns === 0 ? {} : { version: lifecycle.returns };
    await noteOccasion(transaction, { scopeId, incidentId: id, kind: announces, ...version }, now);
  }
  if (investigates) await requeue(transaction, scopeId, id);
}
