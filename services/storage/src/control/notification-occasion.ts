import type { Kysely } from "kysely";
import type { NotificationOccasion } from "./notification-db.ts";
import type { ControlTables } from "./tables.ts";

/**
 * Notes that there may be something to tell, in the transaction in which it happens; nothing where no rule of the scope
 * is on. One statement, since every incident pays for it.
 */
export async function noteOccasion(
  db: Kysely<ControlTables>,
  { scopeId, incidentId, kind }: Omit<NotificationOccasion, "id">,
  now: Date,
): Promise<void> {
  await db
    .insertInto("notification_occasion")
    .columns(["id", "scope_id", "incident_id", "kind", "at"])
    .expression((from) =>
      from
        .selectFrom("notification_rule")
        .select((value) => [
          value.cast<string>(value.val(`${incidentId}:${kind}`), "text").as("id"),
          "scope_id",
          value.cast<string>(value.val(incidentId), "text").as("incident_id"),
          value.cast<string>(value.val(kind), "text").as("kind"),
          value.cast<string>(value.val(now.toISOString()), "text").as("at"),
        ])
        .where("scope_id", "=", scopeId)
        .where("enabled", "=", 1)
        .limit(1),
    )
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
