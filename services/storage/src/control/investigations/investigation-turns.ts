import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { InvestigationTurns } from "./outbox-db.ts";

/** The published, unfinished investigations, by publisher. */
export function investigationTurns(db: Kysely<ControlTables>): InvestigationTurns {
  return {
    async begin(messages, { publisher, now, since }) {
      if (messages.length === 0) return;
      const turn = { publisher, began_at: now.toISOString() };
      await db
        .insertInto("investigation_turn")
        .values(messages.map(({ id, scopeId }) => ({ message_id: id, scope_id: scopeId, ...turn })))
        .onConflict((conflict) => conflict.column("message_id").doUpdateSet(turn))
        .execute();
      await db.deleteFrom("investigation_turn").where("began_at", "<", since.toISOString()).execute();
    },
    async count({ publisher, since }) {
      const rows = await db
        .selectFrom("investigation_turn")
        .select((select) => ["scope_id", select.fn.countAll().as("turns")])
        .where("publisher", "=", publisher)
        .where("began_at", ">=", since.toISOString())
        .groupBy("scope_id")
        .execute();
      return new Map(rows.map(({ scope_id, turns }) => [scope_id, Number(turns)]));
    },
    async end(ids) {
      if (ids.length > 0) await db.deleteFrom("investigation_turn").where("message_id", "in", ids).execute();
    },
  };
}
