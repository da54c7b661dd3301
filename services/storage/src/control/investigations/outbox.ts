import { type Kysely, sql } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { Outbox } from "./outbox-db.ts";

/** The messages that transactions left to be published. */
export function outbox(db: Kysely<ControlTables>): Outbox {
  return {
    pending(max, topic) {
      // Ids begin with an incident's, which sort by when they were made.
      const oldest = db.selectFrom("outbox").select(["id", "topic", "body"]).orderBy("id").limit(max);
      return (topic === undefined ? oldest : oldest.where("topic", "=", topic)).execute();
    },
    async urgent(maxPerScope, topic) {
      const ranked = db
        .selectFrom("outbox")
        .select(["id", "body", "scope_id", "priority"])
        .select(sql<number>`row_number() over (partition by scope_id order by priority desc, id)`.as("turn"))
        .where("topic", "=", topic);
      const rows = await db
        .selectFrom(ranked.as("ranked"))
        .select(["id", "body", "scope_id"])
        .where("turn", "<=", maxPerScope)
        .orderBy("priority", "desc")
        .orderBy("id")
        .execute();
      return rows.map(({ scope_id, ...message }) => ({ ...message, scopeId: scope_id }));
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom("outbox").where("id", "in", ids).execute();
    },
  };
}
