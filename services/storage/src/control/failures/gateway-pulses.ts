import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { GatewayPulses } from "./liveness-db.ts";

/** The pulses of gateways: since when each has accepted telemetry without a break. */
export function gatewayPulses(db: Kysely<ControlTables>): GatewayPulses {
  return {
    async beat({ id, takingSince, now, forgetBefore }) {
      const pulse = { taking_since: takingSince.toISOString(), at: now.toISOString() };
      await db
        .insertInto("gateway_pulse")
        .values({ id, ...pulse })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(pulse))
        .execute();
      await db.deleteFrom("gateway_pulse").where("at", "<", forgetBefore.toISOString()).execute();
    },
    async takingSince(freshSince) {
      const row = await db
        .selectFrom("gateway_pulse")
        .select((select) => select.fn.min<string | null>("taking_since").as("since"))
        .where("at", ">=", freshSince.toISOString())
        .executeTakeFirst();
      return row?.since == null ? null : new Date(row.since);
    },
  };
}
