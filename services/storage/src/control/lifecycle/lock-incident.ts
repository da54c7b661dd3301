import type { Selectable, Transaction } from "kysely";
import type { ControlTables, IncidentTable } from "../tables.ts";

/** An incident, locked until the transaction ends: the update changes nothing, but locks the row on every database. */
export function lockIncident(
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
