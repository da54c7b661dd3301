import { type Activity, type Actor, acknowledgmentSchema, activitySchema, lifecycleSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import { lifecycleColumns } from "./stored-lifecycle.ts";

/** What a person did about incidents. */
export function activityOf(db: Kysely<ControlTables>, userId: string) {
  return db.selectFrom("incident_activity").selectAll().where("activity_json", "like", naming(userId));
}

/** Replaces a person's name in what they did about incidents. */
export async function forgetActor(
  transaction: Transaction<ControlTables>,
  userId: string,
  removedName: string,
): Promise<void> {
  const forgotten = <Someone extends { id: string }>(someone: Someone): Someone =>
    someone.id === userId ? { ...someone, name: removedName } : someone;
  const renamed = <Done extends { by: Actor | null }>(done: Done): Done =>
    done.by?.kind === "member" ? { ...done, by: forgotten(done.by) } : done;
  for (const { id, activity_json: json } of await activityOf(transaction, userId).execute()) {
    const { to, comment, ...done } = renamed(activitySchema.parse(JSON.parse(json)));
    const activity: Activity = {
      ...done,
      ...(to ? { to: forgotten(to) } : {}),
      ...(comment ? { comment: { ...comment, mentions: comment.mentions.map(forgotten) } } : {}),
    };
    await transaction
      .updateTable("incident_activity")
      .set({ activity_json: JSON.stringify(activity) })
      .where("id", "=", id)
      .execute();
  }
  const incidents = await transaction
    .selectFrom("incident")
    .select(["id", "lifecycle_json", "acknowledged_json"])
    .where(({ or, eb }) =>
      or([eb("lifecycle_json", "like", naming(userId)), eb("acknowledged_json", "like", naming(userId))]),
    )
    .execute();
  for (const { id, lifecycle_json: lifecycle, acknowledged_json: acknowledged } of incidents) {
    const columns = {
      ...(lifecycle === null ? {} : lifecycleColumns(renamed(lifecycleSchema.parse(JSON.parse(lifecycle))))),
      ...(acknowledged === null
        ? {}
        : { acknowledged_json: JSON.stringify(renamed(acknowledgmentSchema.parse(JSON.parse(acknowledged)))) }),
    };
    await transaction.updateTable("incident").set(columns).where("id", "=", id).execute();
  }
}

/** Returns a LIKE pattern for JSON with a person's id. It may match more, because ids may contain wildcards. */
function naming(userId: string): string {
  return `%"id":${JSON.stringify(userId)}%`;
}
