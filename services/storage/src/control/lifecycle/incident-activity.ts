import { type Activity, activitySchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";

/** What happened to an incident, as far as it is shown. */
const shownMax = 50;

/** What happened to an incident lately, the newest first. */
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

/** Adds what happened, in the transaction in which it does. */
export async function writeActivity(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  activity: Activity,
): Promise<void> {
  await transaction
    .insertInto("incident_activity")
    .values({ id: newId("act_"), incident_id: incidentId, activity_json: JSON.stringify(activity) })
    .execute();
}
