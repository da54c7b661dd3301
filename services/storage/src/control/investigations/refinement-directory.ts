import type { Kysely } from "kysely";
import { investigationsTopic } from "../../queue/topics.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import { refinementMessage } from "./investigation-message.ts";
import type { RefinementDirectory } from "./refinement-db.ts";

/** First reports go before refined ones. */
const priority = -1;

/** The reports of all scopes that are still refined. */
export function refinementDirectory(db: Kysely<ControlTables>): RefinementDirectory {
  return {
    async askDue(now, { max, holdMs }) {
      const due = await db
        .selectFrom("incident")
        .select(["id", "refine_at"])
        .where("refine_at", "<=", now.toISOString())
        .where("status", "=", "completed")
        .orderBy("refine_at")
        .limit(max)
        .execute();
      let asked = 0;
      for (const { id, refine_at: at } of due) {
        if (at !== null && (await ask(db, { id, at, next: new Date(now.getTime() + holdMs) }))) asked += 1;
      }
      return asked;
    },
  };
}

interface DueLook {
  readonly id: string;
  readonly at: string;
  /** When it is queued again if it doesn't finish. */
  readonly next: Date;
}

/** Queues a refinement; false when another process has. */
function ask(db: Kysely<ControlTables>, { id, at, next }: DueLook): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const incident = await transaction
      .updateTable("incident")
      .set({ refine_at: next.toISOString() })
      .where("id", "=", id)
      .where("refine_at", "=", at)
      .where("status", "=", "completed")
      .returning(["scope_id", "attempt"])
      .executeTakeFirst();
    if (!incident) return false;
    const { scope_id, attempt } = incident;
    await transaction
      .insertInto("outbox")
      .values({ ...refinementMessage(id, scope_id, attempt), topic: investigationsTopic.name, scope_id, priority })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    return true;
  });
}
