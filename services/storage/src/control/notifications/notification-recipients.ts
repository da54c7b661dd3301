import {
  type NotificationChannel,
  type NotificationRuleChoice,
  type NotificationType,
  notificationChannels,
  notificationRuleChoiceSchema,
  sendsTo,
} from "@whence/protocol";
import { newId } from "../ids.ts";
import type { NotificationDeliveryTable, NotificationRuleTable } from "./notification-tables.ts";

/** The message for every recipient of a rule. */
interface Announcement {
  readonly occasion: string;
  readonly type: NotificationType;
  readonly incidentId: string | null;
  readonly heldBackUntil: string | null;
  /** Channels that don't get it. */
  readonly without?: readonly NotificationChannel[];
}

/** The stored choices of a rule. */
export function choiceOf(row: Pick<NotificationRuleTable, "enabled" | "rule_json">): NotificationRuleChoice {
  return notificationRuleChoiceSchema.parse({ ...JSON.parse(row.rule_json), enabled: row.enabled === 1 });
}

/** Delivery rows for each recipient of a rule, due at once. */
export function deliveriesTo(
  rule: NotificationRuleTable,
  { occasion, type, incidentId, heldBackUntil, without = [] }: Announcement,
  now: Date,
): NotificationDeliveryTable[] {
  const at = now.toISOString();
  const recipients = recipientsOf(rule).filter(({ channel }) => !without.includes(channel));
  return recipients.map(({ channel, recipient }) => ({
    id: newId("ntf_"),
    scope_id: rule.scope_id,
    rule_id: rule.id,
    occasion,
    type,
    incident_id: incidentId,
    channel,
    recipient,
    state: "waiting",
    attempts: 0,
    next_attempt_at: at,
    created_at: at,
    settled_at: null,
    reason: null,
    held_back_until: heldBackUntil,
  }));
}

/** An address that was entered twice is one recipient. The other channels have none: they may move while a message waits. */
function recipientsOf(rule: NotificationRuleTable): { channel: NotificationChannel; recipient: string }[] {
  const choice = choiceOf(rule);
  const byAddress = new Map(choice.emails.map((address) => [address.toLowerCase(), address]));
  return notificationChannels
    .filter((channel) => sendsTo(channel, choice))
    .flatMap((channel) =>
      (channel === "email" ? [...byAddress.values()] : [""]).map((recipient) => ({ channel, recipient })),
    );
}
