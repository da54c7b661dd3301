import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { ExitedProcesses } from "./liveness-db.ts";

/** The processes of one scope that stopped reporting and were decided about. */
export function exitedProcesses(db: Kysely<ControlTables>, scopeId: string): ExitedProcesses {
  return {
    async decided(since) {
      const rows = await db
        .selectFrom("exited_process")
        .select("instance")
        .where("scope_id", "=", scopeId)
        .where("decided_at", ">=", since.toISOString())
        .execute();
      return new Set(rows.map(({ instance }) => instance));
    },
    async note(instances, now) {
      const decidedAt = now.toISOString();
      for (const instance of instances) {
        await db
          .insertInto("exited_process")
          .values({ scope_id: scopeId, instance, decided_at: decidedAt })
          .onConflict((conflict) => conflict.columns(["scope_id", "instance"]).doUpdateSet({ decided_at: decidedAt }))
          .execute();
      }
    },
    async forget(instance) {
      await db.deleteFrom("exited_process").where("scope_id", "=", scopeId).where("instance", "=", instance).execute();
    },
    async forgetBefore(moment) {
      await db
        .deleteFrom("exited_process")
        .where("scope_id", "=", scopeId)
        .where("decided_at", "<", moment.toISOString())
        .execute();
    },
  };
}
