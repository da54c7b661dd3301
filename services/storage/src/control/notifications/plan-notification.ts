import {
  hourMs,
  type NotificationChannel,
  type NotificationRuleChoice,
  type NotificationType,
  notificationChannels,
  type Severity,
} from "@whence/protocol";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { ControlTables } from "../tables.ts";
import type { MatchedRule, NotificationOccasion } from "./notification-db.ts";
import { roundOf } from "./notification-occasion.ts";
import { choiceOf, deliveriesTo } from "./notification-recipients.ts";
import type { NotificationRuleTable } from "./notification-tables.ts";
import { quietUntil } from "./quiet-hours.ts";

const channelSchema = z.enum(notificationChannels);

/** Channels in which a message can't be updated, and in which an incident has one until its report names another cause. */
const postOnce: readonly NotificationChannel[] = ["slack", "teams"];

/** The messages that a chat gets although it has one about the incident. */
const repeatable: readonly NotificationType[] = ["completed", "corrected", "returned"];

/** Writes a rule's deliveries for an occasion, or holds it back; does nothing when the rule has announced it before. */
export async function planRule(
  transaction: Transaction<ControlTables>,
  occasion: NotificationOccasion,
  { ruleId, type: matched, severity, without }: MatchedRule,
  now: Date,
): Promise<void> {
  const rule = await lockRule(transaction, ruleId);
  if (rule?.scope_id !== occasion.scopeId) return;
  const choice = choiceOf(rule);
  const planned = await plannedFor(transaction, ruleId, occasion.incidentId);
  const type = typeAfter(planned, matched);
  if (isRepeated(planned, occasion, type, isLetThrough(choice, severity))) return;
  await release(transaction, ruleId, occasion.id);
  const posted = repeatable.includes(type) ? [] : postedIn(planned);
  const excluded = [...without, ...posted, ...(type === "returned" ? [] : resolvedIn(planned))];
  const announced = { occasion: occasion.id, type, incidentId: occasion.incidentId, without: excluded };
  if (deliveriesTo(rule, { ...announced, heldBackUntil: null }, now).length === 0) return;
  const quietEnd = quietFor(choice, severity, now);
  if (quietEnd) return holdBack(transaction, ruleId, occasion, now, quietEnd);
  const hour = hourOf(rule, now);
  const until = new Date(Date.parse(hour.hour_started_at) + hourMs);
  if (hour.hour_sent > choice.per_hour) {
    await holdBack(transaction, ruleId, occasion, now, quietFor(choice, severity, until) ?? until);
  } else {
    const heldBackUntil = hour.hour_sent === choice.per_hour ? until.toISOString() : null;
    await transaction
      .insertInto("notification_delivery")
      .values(deliveriesTo(rule, { ...announced, heldBackUntil }, now))
      .execute();
  }
  await transaction.updateTable("notification_rule").set(hour).where("id", "=", ruleId).execute();
}

/** Writes one message about everything held back until now. It counts as the first of the next hour. */
export async function summariseRule(transaction: Transaction<ControlTables>, ruleId: string, now: Date): Promise<void> {
  const rule = await lockRule(transaction, ruleId);
  if (!rule) return;
  const occasion = `summary:${now.toISOString()}`;
  const { numUpdatedRows } = await transaction
    .updateTable("notification_held_back")
    .set({ summary_occasion: occasion })
    .where("rule_id", "=", ruleId)
    .where("summary_occasion", "is", null)
    .where("until", "<=", now.toISOString())
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const announced = { occasion, type: "summary", incidentId: null, heldBackUntil: null } as const;
  await transaction
    .insertInto("notification_delivery")
    .values(deliveriesTo(rule, announced, now))
    .execute();
  await transaction.updateTable("notification_rule").set(hourOf(rule, now)).where("id", "=", ruleId).execute();
}

/** The rule, locked until the transaction ends: the update changes nothing, but locks the row on every database. */
export function lockRule(
  transaction: Transaction<ControlTables>,
  id: string,
): Promise<NotificationRuleTable | undefined> {
  return transaction
    .updateTable("notification_rule")
    .set({ id })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** An earlier announcement of an incident by a rule. */
interface Planned {
  readonly occasion: string;
  /** Null when it was held back: then all channels are in its summary. */
  readonly channel: NotificationChannel | null;
  /** Held back, and not summarized yet. */
  readonly isWaiting: boolean;
}

async function plannedFor(
  transaction: Transaction<ControlTables>,
  ruleId: string,
  incidentId: string,
): Promise<readonly Planned[]> {
  const sent = await transaction
    .selectFrom("notification_delivery")
    .select(["occasion", "channel"])
    .where("rule_id", "=", ruleId)
    .where("incident_id", "=", incidentId)
    .execute();
  const held = await transaction
    .selectFrom("notification_held_back")
    .select(["occasion", "summary_occasion"])
    .where("rule_id", "=", ruleId)
    .where("incident_id", "=", incidentId)
    .execute();
  return [
    ...sent.map(({ occasion, channel }) => ({ occasion, channel: channelSchema.parse(channel), isWaiting: false })),
    ...held.map(({ occasion, summary_occasion: summary }) => ({
      occasion,
      channel: null,
      isWaiting: summary === null,
    })),
  ];
}

/** A cause that another report named, which the rule hasn't announced, isn't a correction to its recipients. */
function typeAfter(planned: readonly Planned[], type: NotificationType): NotificationType {
  return type === "corrected" && !hasReport(planned) ? "completed" : type;
}

function isRepeated(
  planned: readonly Planned[],
  { id, kind }: NotificationOccasion,
  type: NotificationType,
  isUrgent: boolean,
): boolean {
  const same = planned.filter(({ occasion }) => occasion === id);
  // What waits for the end of quiet hours is sent after all once it turns out to be critical.
  if (same.length > 0) return !(isUrgent && same.every(({ isWaiting }) => isWaiting));
  return kind === "completed" && type === "completed" && hasReport(planned);
}

function hasReport(planned: readonly Planned[]): boolean {
  return planned.some(({ occasion }) => /:(?:completed$|corrected:)/.test(occasion));
}

function postedIn(planned: readonly Planned[]): readonly NotificationChannel[] {
  return postOnce.filter((channel) => planned.some((one) => one.channel === channel || one.channel === null));
}

/** Channels whose alert was resolved since the incident last came back: a message would open another one. */
function resolvedIn(planned: readonly Planned[]): readonly NotificationChannel[] {
  const round = Math.max(0, ...planned.map(({ occasion }) => roundOf(occasion)));
  const resolved = planned.filter(
    ({ occasion }) => /:resolved(?::\d+)?$/.test(occasion) && roundOf(occasion) === round,
  );
  return resolved.flatMap(({ channel }) => channel ?? []);
}

/** Whether quiet hours don't concern an incident of this severity. */
function isLetThrough({ quiet_hours: quiet }: NotificationRuleChoice, severity: Severity): boolean {
  return quiet?.except_critical === true && severity === "critical";
}

function quietFor(choice: NotificationRuleChoice, severity: Severity, at: Date): Date | null {
  return choice.quiet_hours === null || isLetThrough(choice, severity) ? null : quietUntil(choice.quiet_hours, at);
}

/** Removes a waiting occasion from what is held back. */
async function release(transaction: Transaction<ControlTables>, ruleId: string, occasion: string): Promise<void> {
  await transaction
    .deleteFrom("notification_held_back")
    .where("rule_id", "=", ruleId)
    .where("occasion", "=", occasion)
    .where("summary_occasion", "is", null)
    .execute();
}

async function holdBack(
  transaction: Transaction<ControlTables>,
  ruleId: string,
  { id: occasion, incidentId }: NotificationOccasion,
  now: Date,
  until: Date,
): Promise<void> {
  await transaction
    .insertInto("notification_held_back")
    .values({
      rule_id: ruleId,
      occasion,
      incident_id: incidentId,
      at: now.toISOString(),
      until: until.toISOString(),
      summary_occasion: null,
    })
    .execute();
}

/** Counts one more message: in the current hour, or as the first of the next. */
function hourOf({ hour_started_at: startedAt, hour_sent: sent }: NotificationRuleTable, now: Date) {
  const isOver = startedAt === null || Date.parse(startedAt) + hourMs <= now.getTime();
  return isOver
    ? { hour_started_at: now.toISOString(), hour_sent: 1 }
    : { hour_started_at: startedAt, hour_sent: sent + 1 };
}
