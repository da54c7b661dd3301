import { notificationChannels } from "@whence/protocol";
import type { Transaction } from "kysely";
import type { NotificationOccasion } from "../notifications/notification-db.ts";
import { roundOf } from "../notifications/notification-occasion.ts";
import { deliveriesTo } from "../notifications/notification-recipients.ts";
import { lockRule } from "../notifications/plan-notification.ts";
import type { ControlTables } from "../tables.ts";

/** Channels in which a message is an alert, which stays open until it is resolved. */
const pagers = ["pagerduty", "opsgenie"] as const;
/** When to look again where it isn't known yet what has to be resolved. */
const lookAgainAfterMs = 30_000;

/**
 * Whether an alert of the incident may still be opened: its investigation or a message to a pager is under way. Then the
 * occasion is due again later.
 */
export async function isPostponed(
  transaction: Transaction<ControlTables>,
  { id, scopeId, incidentId }: NotificationOccasion,
  now: Date,
): Promise<boolean> {
  const [investigated, announced, sending] = [
    await transaction
      .selectFrom("incident")
      .select("id")
      .where("scope_id", "=", scopeId)
      .where("id", "=", incidentId)
      .where("status", "in", ["queued", "investigating"])
      .executeTakeFirst(),
    await transaction
      .selectFrom("notification_occasion")
      .select("id")
      .where("scope_id", "=", scopeId)
      .where("incident_id", "=", incidentId)
      .where("id", "!=", id)
      .executeTakeFirst(),
    await transaction
      .selectFrom("notification_delivery")
      .select("id")
      .where("scope_id", "=", scopeId)
      .where("incident_id", "=", incidentId)
      .where("channel", "in", pagers)
      .where("state", "in", ["waiting", "sending"])
      .executeTakeFirst(),
  ];
  if (!investigated && !announced && !sending) return false;
  await transaction
    .updateTable("notification_occasion")
    .set({ at: new Date(now.getTime() + lookAgainAfterMs).toISOString() })
    .where("id", "=", id)
    .execute();
  return true;
}

/** Writes what resolves the alerts that a rule opened about an incident, each once. Neither quiet hours nor the limit delay it. */
export async function planResolution(
  transaction: Transaction<ControlTables>,
  { id: occasion, scopeId, incidentId }: NotificationOccasion,
  ruleId: string,
  now: Date,
): Promise<void> {
  const rule = await lockRule(transaction, ruleId);
  if (rule?.scope_id !== scopeId) return;
  const messages = await transaction
    .selectFrom("notification_delivery")
    .select(["channel", "type", "state", "occasion"])
    .where("rule_id", "=", ruleId)
    .where("incident_id", "=", incidentId)
    .execute();
  // An incident that came back has another alert since.
  const round = roundOf(occasion);
  const open: readonly string[] = pagers
    .map((pager) =>
      messages.filter(
        ({ channel, type, occasion: of }) => channel === pager && (type !== "resolved" || roundOf(of) === round),
      ),
    )
    .filter((sent) => sent.some(({ state }) => state === "sent") && sent.every(({ type }) => type !== "resolved"))
    .flatMap(([first]) => first?.channel ?? []);
  const without = notificationChannels.filter((channel) => !open.includes(channel));
  const resolved = { occasion, type: "resolved", incidentId, heldBackUntil: null, without } as const;
  const deliveries = deliveriesTo(rule, resolved, now);
  if (deliveries.length > 0) await transaction.insertInto("notification_delivery").values(deliveries).execute();
}
