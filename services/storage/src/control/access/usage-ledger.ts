import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { UsageLedger } from "./access-db.ts";

/**
 * Accepted events per organization and day. One statement adds and reads, so concurrent gateways don't lose each
 * other's counts.
 */
export function usageLedger(db: Kysely<ControlTables>): UsageLedger {
  return {
    async add(organizationId, day, events) {
      const added = await db
        .insertInto("event_usage")
        .values({ organization_id: organizationId, day, events })
        .onConflict((conflict) =>
          conflict
            .columns(["organization_id", "day"])
            .doUpdateSet((set) => ({ events: set("event_usage.events", "+", set.ref("excluded.events")) })),
        )
        .returning("events")
        .executeTakeFirstOrThrow();
      return added.events;
    },
  };
}
