import { type Activity, type ActivityPage, activitySchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";

/** How much is read at once. */
const pageSize = 50;

/** What happened to an incident, the newest first: lately, or before the end of an earlier page. */
export async function readActivity(
  db: Kysely<ControlTables>,
  incidentId: string,
  before?: string,
): Promise<ActivityPage> {
  let query = db.selectFrom("incident_activity").select(["id", "activity_json"]).where("incident_id", "=", incidentId);
  if (before !== undefined) query = query.where("id", "<", before);
  // One more than a page says whether there is another.
  const rows = await query
    .orderBy("id", "desc")
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  return {
    activity: page.map(({ activity_json: json }) => activitySchema.parse(JSON.parse(json))),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
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
