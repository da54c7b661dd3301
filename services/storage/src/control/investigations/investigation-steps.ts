import type { IncidentStep } from "@whence/protocol";
import type { Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import { hold, type Investigation } from "./investigation-hold.ts";

/** Stores a step, as long as no later attempt has the incident. */
export async function addStep(
  transaction: Transaction<ControlTables>,
  investigation: Investigation,
  step: IncidentStep,
): Promise<void> {
  // No later attempt begins (and removes the steps) in between. A report that is refined is completed already.
  const held =
    (await hold(transaction, investigation, "investigating")) ?? (await hold(transaction, investigation, "completed"));
  if (!held) return;
  const { seq, result = null, ...said } = step;
  const changed = { ...said, result };
  await transaction
    .insertInto("incident_step")
    .values({ incident_id: investigation.id, seq, ...changed })
    .onConflict((conflict) => conflict.columns(["incident_id", "seq"]).doUpdateSet(changed))
    .execute();
}
