import type { Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import { askAgain } from "./investigation-message.ts";

/** Queues an incident whose investigation has ended for another one, with the message that asks for it. */
export async function requeue(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
): Promise<"queued" | "under-way" | "input-removed"> {
  const queued = await transaction
    .updateTable("incident")
    .set({ status: "queued", started_at: null, completed_at: null, failure_json: null })
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["completed", "failed"])
    // A text that was removed leaves nothing to investigate.
    .where(({ or, eb }) => {
      const isOfTelemetry = eb("fingerprint", "is not", null);
      return or([isOfTelemetry, eb("trigger_kind", "=", "process-exit"), eb("input_bytes", ">", 0)]);
    })
    .returning("attempt")
    .executeTakeFirst();
  if (!queued) return (await hasEnded(transaction, scopeId, id)) ? "input-removed" : "under-way";
  await transaction.deleteFrom("incident_step").where("incident_id", "=", id).execute();
  await askAgain(transaction, { incidentId: id, scopeId, after: `after-${queued.attempt}` });
  return "queued";
}

async function hasEnded(transaction: Transaction<ControlTables>, scopeId: string, id: string): Promise<boolean> {
  const ended = await transaction
    .selectFrom("incident")
    .select("id")
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["completed", "failed"])
    .executeTakeFirst();
  return ended !== undefined;
}
