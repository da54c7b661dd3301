import { type Actor, activitySchema, lifecycleSchema } from "@whence/protocol";
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
  const renamed = <Done extends { by: Actor | null }>(done: Done): Done =>
    done.by?.kind === "member" && done.by.id === userId ? { ...done, by: { ...done.by, name: removedName } } : done;
  for (const { id, activity_json: json } of await activityOf(transaction, userId).execute()) {
    const activity = renamed(activitySchema.parse(JSON.parse(json)));
    await transaction
      .updateTable("incident_activity")
      .set({ activity_json: JSON.stringify(activity) })
      .where("id", "=", id)
      .execute();
  }
  const incidents = await transaction
    .selectFrom("incident")
    .select(["id", "lifecycle_json"])
    .where("lifecycle_json", "like", naming(userId))
    .execute();
  for (const { id, lifecycle_json: json } of incidents) {
    if (json === null) continue;
    const lifecycle = renamed(lifecycleSchema.parse(JSON.parse(json)));
    await transaction.updateTable("incident").set(lifecycleColumns(lifecycle)).where("id", "=", id).execute();
  }
}

/** Finds JSON that names a person, among more: ids may contain what stands for any character. */
function naming(userId: string): string {
  return `%"id":${JSON.stringify(userId)}%`;
}
