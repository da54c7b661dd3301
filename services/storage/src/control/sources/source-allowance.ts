import { minuteMs } from "@whence/protocol";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Allowance } from "../access/allowance.ts";
import type { ControlTables } from "../tables.ts";

/** A source has opened as many incidents as it may: what was written with the next one is taken back. */
export class SourceAllowanceSpent extends Error {
  override readonly name = "SourceAllowanceSpent";

  constructor({ max, spanMs }: Allowance) {
    super(`the source opened ${max} incidents within ${spanMs / minuteMs} minutes, as many as it may`);
  }
}

/**
 * Counts an incident that a source opens, in the transaction that opens it; others of the source wait until it ends. Rejects
 * with {@link SourceAllowanceSpent}. The span begins with the first incident in it.
 */
export async function countOpening(
  transaction: Transaction<ControlTables>,
  sourceId: string,
  allowance: Allowance,
  now: Date,
): Promise<void> {
  const ended = new Date(now.getTime() - allowance.spanMs).toISOString();
  const source = () => transaction.updateTable("alert_source").where("id", "=", sourceId);
  await source()
    .set({ hour_started_at: now.toISOString(), hour_opened: 0 })
    .where(({ or, eb }) => or([eb("hour_started_at", "is", null), eb("hour_started_at", "<=", ended)]))
    .execute();
  const { numUpdatedRows } = await source()
    .set({ hour_opened: sql`hour_opened + 1` })
    .where("hour_opened", "<", allowance.max)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new SourceAllowanceSpent(allowance);
}

/** Counts an alert that opened no incident, and notes why with its source. */
export async function countWithheld(
  db: Kysely<ControlTables>,
  sourceId: string,
  { message }: SourceAllowanceSpent,
  now: Date,
): Promise<void> {
  await db
    .updateTable("alert_source")
    .set({ withheld: sql`withheld + 1`, failed_at: now.toISOString(), failure: message })
    .where("id", "=", sourceId)
    .execute();
}
