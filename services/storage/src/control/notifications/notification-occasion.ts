import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { NotificationOccasion } from "./notification-db.ts";

/** The id of an occasion, so the same one is stored once. A corrected cause has one per version, a return one per return. */
function occasionId({ incidentId, kind, version }: NotedOccasion): string {
  return version === undefined ? `${incidentId}:${kind}` : `${incidentId}:${kind}:${version}`;
}

/**
 * How often an incident had come back when this was announced of it. Versions of `returned` and `resolved` count that; the
 * first `resolved` has none.
 */
export function roundOf(occasion: string): number {
  return Number(/:(?:returned|resolved):(\d+)$/.exec(occasion)?.[1] ?? 0);
}

export interface NotedOccasion extends Omit<NotificationOccasion, "id"> {
  /** The version of the report, or the number of the return, for kinds that can occur again. */
  readonly version?: number;
}

/** The earliest time an incident may be announced. */
export function earliestNotification(heldUntil: string | null, now: Date): Date {
  return heldUntil !== null && Date.parse(heldUntil) > now.getTime() ? new Date(heldUntil) : now;
}

/**
 * Stores an occasion in the transaction in which it happens, to be announced at `notBefore` or later. Does nothing when
 * the scope has no enabled rule. One statement, since it runs for every incident.
 */
export async function noteOccasion(db: Kysely<ControlTables>, occasion: NotedOccasion, notBefore: Date): Promise<void> {
  const { scopeId, incidentId, kind } = occasion;
  await db
    .insertInto("notification_occasion")
    .columns(["id", "scope_id", "incident_id", "kind", "at"])
    .expression((from) =>
      from
        .selectFrom("notification_rule")
        .select((value) => [
          value.cast<string>(value.val(occasionId(occasion)), "text").as("id"),
          "scope_id",
          value.cast<string>(value.val(incidentId), "text").as("incident_id"),
          value.cast<string>(value.val(kind), "text").as("kind"),
          value.cast<string>(value.val(notBefore.toISOString()), "text").as("at"),
        ])
        .where("scope_id", "=", scopeId)
        .where("enabled", "=", 1)
        .limit(1),
    )
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Sets when pending notifications of an incident may be sent; null cancels them. */
export async function moveOccasions(
  db: Kysely<ControlTables>,
  incidentId: string,
  notBefore: Date | null,
): Promise<void> {
  if (notBefore === null) {
    await db.deleteFrom("notification_occasion").where("incident_id", "=", incidentId).execute();
    return;
  }
  await db
    .updateTable("notification_occasion")
    .set({ at: notBefore.toISOString() })
    .where("incident_id", "=", incidentId)
    .where("at", ">", notBefore.toISOString())
    .execute();
}

/**
 * Drops what would resolve an incident's alerts and wasn't sent yet: the incident is open again. Returns whether the
 * resolution was still to be announced.
 */
export async function withdrawResolution(db: Kysely<ControlTables>, incidentId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("notification_occasion")
    .where("incident_id", "=", incidentId)
    .where("kind", "=", "resolved")
    .executeTakeFirst();
  await db
    .deleteFrom("notification_delivery")
    .where("incident_id", "=", incidentId)
    .where("type", "=", "resolved")
    .where("state", "=", "waiting")
    .execute();
  return numDeletedRows > 0n;
}
