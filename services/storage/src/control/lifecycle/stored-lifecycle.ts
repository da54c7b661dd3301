import { type Activity, activitySchema, type Lifecycle, lifecycleSchema, openedLifecycle } from "@whence/protocol";
import type { Kysely, Selectable, Updateable } from "kysely";
import type { ControlTables, IncidentTable } from "../tables.ts";

/** Changes of an incident that are shown. */
const shownMax = 50;

/** The lifecycle of an incident, as its row has it. */
export function lifecycleOf({
  lifecycle_json: json,
  created_at: createdAt,
}: Pick<Selectable<IncidentTable>, "lifecycle_json" | "created_at">): Lifecycle {
  return json === null ? openedLifecycle(createdAt) : lifecycleSchema.parse(JSON.parse(json));
}

/** The columns of an incident that hold a lifecycle. */
export function lifecycleColumns(lifecycle: Lifecycle): Updateable<IncidentTable> {
  const { state, mute } = lifecycle;
  return {
    state,
    muted_until: mute?.kind === "time" ? new Date(mute.at).toISOString() : null,
    lifecycle_json: JSON.stringify(lifecycle),
  };
}

/** The latest changes of an incident's lifecycle, the newest first. */
export async function readActivity(db: Kysely<ControlTables>, incidentId: string): Promise<Activity[]> {
  const rows = await db
    .selectFrom("incident_activity")
    .select("activity_json")
    .where("incident_id", "=", incidentId)
    .orderBy("id", "desc")
    .limit(shownMax)
    .execute();
  return rows.map(({ activity_json: json }) => activitySchema.parse(JSON.parse(json)));
}
