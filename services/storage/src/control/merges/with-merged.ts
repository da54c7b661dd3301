import type { Kysely, SelectQueryBuilder } from "kysely";
import type { ControlTables } from "../tables.ts";

/** The ids of an incident and of those that are merged into it. */
export function withMerged(
  db: Kysely<ControlTables>,
  incidentId: string,
): SelectQueryBuilder<ControlTables, "incident", { id: string }> {
  return db
    .selectFrom("incident")
    .select("id")
    .where(({ or, eb }) => or([eb("id", "=", incidentId), eb("merged_into", "=", incidentId)]));
}
