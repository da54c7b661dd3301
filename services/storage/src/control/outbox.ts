import type { Kysely } from "kysely";
import type { Outbox } from "./control-db.ts";
import type { ControlTables } from "./tables.ts";

/** The messages that transactions left to be published. */
export function outbox(db: Kysely<ControlTables>): Outbox {
  return {
    pending(max, topic) {
      // Ids begin with an incident's, which sort by when they were made.
      const oldest = db.selectFrom("outbox").select(["id", "topic", "body"]).orderBy("id").limit(max);
      return (topic === undefined ? oldest : oldest.where("topic", "=", topic)).execute();
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom("outbox").where("id", "in", ids).execute();
    },
  };
}
