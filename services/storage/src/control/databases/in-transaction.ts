import type { Kysely, Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";

const attemptsMax = 5;

/**
 * PostgreSQL's 40001 (serialization failure), 40P01 (deadlock), and 23505 (unique violation): two transactions
 * conflicted, and this one was rolled back. Our ids are random, so an existing row is the other transaction's, and the
 * next attempt sees it.
 */
const conflicts: readonly unknown[] = ["40001", "40P01", "23505"];

/**
 * Runs `work` in a READ COMMITTED transaction, and retries it after a conflict with another one, at most {@link
 * attemptsMax} times. `work` must change nothing but the database.
 */
export async function inTransaction<Result>(
  db: Kysely<ControlTables>,
  work: (transaction: Transaction<ControlTables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel("read committed").execute(work);
    } catch (error) {
      if (attempt === attemptsMax || !isConflict(error)) throw error;
    }
  }
}

/** Runs reads that see the same moment, whatever is committed in between. */
export function inSnapshot<Result>(
  db: Kysely<ControlTables>,
  read: (snapshot: Transaction<ControlTables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && conflicts.includes(error.code);
}
