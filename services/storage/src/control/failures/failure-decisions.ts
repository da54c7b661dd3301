import { type Decision, decisionSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import type { ControlTables, FailureDecisionTable } from "../tables.ts";
import type { Occurrences, RecordedDecision } from "./failure-db.ts";

/** Every decision about a failure, one row for each outcome and rule, the latest first. */
export async function recordedDecisions(
  db: Kysely<ControlTables>,
  scopeId: string,
  { fingerprint, env }: Pick<Occurrences, "fingerprint" | "env">,
): Promise<RecordedDecision[]> {
  const found = await db
    .selectFrom("failure_decision")
    .selectAll()
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env)
    .orderBy("last_at", "desc")
    .orderBy("first_at", "desc")
    .execute();
  return found.map(toDecision);
}

/** Records that a decision was taken about a failure. */
export async function recordDecision(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env, eventId, now }: Pick<Occurrences, "fingerprint" | "env" | "eventId" | "now">,
  { outcome, rule, reason }: Decision,
): Promise<void> {
  const at = now.toISOString();
  await transaction
    .insertInto("failure_decision")
    .values({
      scope_id: scopeId,
      fingerprint,
      env,
      outcome,
      rule,
      reason,
      first_at: at,
      last_at: at,
      last_event_id: eventId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["scope_id", "fingerprint", "env", "outcome", "rule"])
        .doUpdateSet({ reason, last_at: at, last_event_id: eventId }),
    )
    .execute();
}

function toDecision(row: FailureDecisionTable): RecordedDecision {
  const { outcome, reason, rule } = decisionSchema.parse(row);
  return { outcome, reason, rule, firstAt: row.first_at, lastAt: row.last_at, lastEventId: row.last_event_id };
}
