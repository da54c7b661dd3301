import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import type { PasswordAttempts } from "./access-db.ts";

/** Attempts at passwords, counted by what they were aimed at. */
export function passwordAttempts(db: Kysely<ControlTables>): PasswordAttempts {
  return {
    take: (attempt) => inTransaction(db, (transaction) => take(transaction, attempt)),
    async forget(aim) {
      await db.deleteFrom("password_attempt").where("aim", "=", aim).execute();
    },
  };
}

type Attempt = Parameters<PasswordAttempts["take"]>[0];

async function take(
  transaction: Transaction<ControlTables>,
  { aim, now, forgetAfterMs, delayMs }: Attempt,
): Promise<Date | null> {
  const at = now.toISOString();
  // Locks the row on every database: of attempts that come at once, each is counted before the next is looked at.
  const known = await transaction
    .insertInto("password_attempt")
    .values({ aim, attempts: 0, last_at: at, next_at: at })
    .onConflict((conflict) => conflict.column("aim").doUpdateSet(({ ref }) => ({ aim: ref("password_attempt.aim") })))
    .returningAll()
    .executeTakeFirstOrThrow();
  const nextAt = new Date(known.next_at);
  if (nextAt > now) return nextAt;
  const isForgotten = now.getTime() - Date.parse(known.last_at) >= forgetAfterMs;
  const attempts = (isForgotten ? 0 : known.attempts) + 1;
  await transaction
    .updateTable("password_attempt")
    .set({ attempts, last_at: at, next_at: new Date(now.getTime() + delayMs(attempts)).toISOString() })
    .where("aim", "=", aim)
    .execute();
  return null;
}
