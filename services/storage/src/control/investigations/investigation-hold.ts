import type { IncidentStatus } from "@whence/protocol";
import type { Selectable, Transaction } from "kysely";
import type { ControlTables, IncidentTable } from "../tables.ts";

/** One investigation of an incident: what it writes counts as long as no later one has begun. */
export interface Investigation {
  readonly scopeId: string;
  readonly id: string;
  readonly attempt: number;
}

/** The incident, locked until the transaction ends; undefined when another attempt has it. */
export function hold(
  transaction: Transaction<ControlTables>,
  { scopeId, id, attempt }: Investigation,
  status: IncidentStatus,
): Promise<Selectable<IncidentTable> | undefined> {
  return (
    transaction
      .updateTable("incident")
      // Changes nothing, but locks the row on every database.
      .set({ attempt })
      .where("id", "=", id)
      .where("scope_id", "=", scopeId)
      .where("status", "=", status)
      .where("attempt", "=", attempt)
      .returningAll()
      .executeTakeFirst()
  );
}
