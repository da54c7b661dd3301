import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { ThresholdsRepository } from "./failure-db.ts";

/** What one scope decided about when a failure is an incident. */
export function thresholdsRepository(db: Kysely<ControlTables>, scopeId: string): ThresholdsRepository {
  return {
    async read() {
      const row = await db
        .selectFrom("incident_thresholds")
        .select("thresholds_json")
        .where("scope_id", "=", scopeId)
        .executeTakeFirst();
      return incidentThresholdsSchema.parse(row ? JSON.parse(row.thresholds_json) : {});
    },
    async replace(thresholds: IncidentThresholds) {
      const kept = { thresholds_json: JSON.stringify(thresholds) };
      await db
        .insertInto("incident_thresholds")
        .values({ scope_id: scopeId, ...kept })
        .onConflict((conflict) => conflict.column("scope_id").doUpdateSet(kept))
        .execute();
    },
  };
}
