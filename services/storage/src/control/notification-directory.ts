import { notificationChannels, notificationTypes } from "@whence/protocol";
import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "./in-transaction.ts";
import type {
  DeliveryOutcome,
  MatchedRule,
  NotificationDirectory,
  NotificationOccasion,
  TakenDelivery,
} from "./notification-db.ts";
import { choiceOf, deliveriesTo } from "./notification-recipients.ts";
import type { NotificationDeliveryTable, NotificationRuleTable } from "./notification-tables.ts";
import type { ControlTables } from "./tables.ts";

const hourMs = 3_600_000;

const kindSchema = z.enum(["opened", "completed", "corrected", "failed"]);
const typeSchema = z.enum(notificationTypes);
const channelSchema = z.enum(notificationChannels);

/** The notifications to send, of all scopes. */
export function notificationDirectory(db: Kysely<ControlTables>): NotificationDirectory {
  return {
    async occasions(now, max) {
      const rows = await db
        .selectFrom("notification_occasion")
        .selectAll()
        .where("at", "<=", now.toISOString())
        .orderBy("at")
        .orderBy("id")
        .limit(max)
        .execute();
      return rows.map(({ id, scope_id: scopeId, incident_id: incidentId, kind }) => ({
        ...{ id, scopeId, incidentId, kind: kindSchema.parse(kind) },
      }));
    },
    plan: (occasion, matched, now) =>
      inTransaction(db, async (transaction) => {
        // In a fixed order, so two planners wait for each other instead of deadlocking.
        for (const rule of matched.toSorted((left, right) => (left.ruleId < right.ruleId ? -1 : 1))) {
          await planRule(transaction, occasion, rule, now);
        }
        await transaction.deleteFrom("notification_occasion").where("id", "=", occasion.id).execute();
      }),
    async summarise(now, max) {
      const due = await db
        .selectFrom("notification_held_back")
        .innerJoin("notification_rule", "notification_rule.id", "notification_held_back.rule_id")
        .select("rule_id")
        .distinct()
        .where("summary_occasion", "is", null)
        .where("until", "<=", now.toISOString())
        .limit(max)
        .execute();
      for (const { rule_id: id } of due) {
        await inTransaction(db, (transaction) => summariseRule(transaction, id, now));
      }
      return due.length;
    },
    async take(now, bounds) {
      const taken: TakenDelivery[] = [];
      for (const row of await due(db, now, bounds)) {
        const delivery = toTaken(row);
        const holdUntil = new Date(now.getTime() + bounds.holdMs).toISOString();
        const isOurs = await change(db, delivery.id, row.attempts, {
          ...{ state: "sending", attempts: delivery.attempt, next_attempt_at: holdUntil },
        });
        if (isOurs) taken.push(delivery);
      }
      return taken;
    },
    settle: ({ id, attempt }, outcome, now) => change(db, id, attempt, settledColumns(outcome, now)),
    forget: (before, max) => forget(db, before.toISOString(), max),
  };
}

/** The rule as it is, and ours until the transaction ends: the update changes nothing, but locks the row everywhere. */
function lockRule(transaction: Transaction<ControlTables>, id: string): Promise<NotificationRuleTable | undefined> {
  return transaction
    .updateTable("notification_rule")
    .set({ id })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

async function planRule(
  transaction: Transaction<ControlTables>,
  { id: occasion, scopeId, incidentId }: NotificationOccasion,
  { ruleId, type }: MatchedRule,
  now: Date,
): Promise<void> {
  const rule = await lockRule(transaction, ruleId);
  if (rule?.scope_id !== scopeId || (await isPlanned(transaction, ruleId, occasion))) return;
  const { per_hour: most } = choiceOf(rule);
  const hour = hourOf(rule, now);
  const until = new Date(Date.parse(hour.hour_started_at) + hourMs).toISOString();
  if (hour.hour_sent > most) {
    const held = {
      rule_id: ruleId,
      occasion,
      incident_id: incidentId,
      at: now.toISOString(),
      until,
      summary_occasion: null,
    };
    await transaction.insertInto("notification_held_back").values(held).execute();
  } else {
    const announced = { occasion, type, incidentId, heldBackUntil: hour.hour_sent === most ? until : null };
    await transaction
      .insertInto("notification_delivery")
      .values(deliveriesTo(rule, announced, now))
      .execute();
  }
  await transaction.updateTable("notification_rule").set(hour).where("id", "=", ruleId).execute();
}

async function isPlanned(transaction: Transaction<ControlTables>, ruleId: string, occasion: string): Promise<boolean> {
  for (const table of ["notification_delivery", "notification_held_back"] as const) {
    const row = await transaction
      .selectFrom(table)
      .select("occasion")
      .where("rule_id", "=", ruleId)
      .where("occasion", "=", occasion)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

/** Counts one more message: in the current hour, or as the first of the next. */
function hourOf({ hour_started_at: startedAt, hour_sent: sent }: NotificationRuleTable, now: Date) {
  const isOver = startedAt === null || Date.parse(startedAt) + hourMs <= now.getTime();
  return isOver
    ? { hour_started_at: now.toISOString(), hour_sent: 1 }
    : { hour_started_at: startedAt, hour_sent: sent + 1 };
}

/** One message about all that was held back in hours that are over. It counts as the first of the next. */
async function summariseRule(transaction: Transaction<ControlTables>, ruleId: string, now: Date): Promise<void> {
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

/** Two processes that ask at once see the same rows here, and each row goes to the one whose update comes first. */
function due(
  db: Kysely<ControlTables>,
  now: Date,
  { max, perScopeMax }: Parameters<NotificationDirectory["take"]>[1],
): Promise<NotificationDeliveryTable[]> {
  const at = now.toISOString();
  const inHand = db
    .selectFrom("notification_delivery")
    .select(({ fn }) => ["scope_id", fn.countAll<number>().as("held")])
    .where("state", "=", "sending")
    .where("next_attempt_at", ">", at)
    .groupBy("scope_id");
  const waiting = db
    .selectFrom("notification_delivery as delivery")
    .leftJoin(inHand.as("in_hand"), "in_hand.scope_id", "delivery.scope_id")
    .selectAll("delivery")
    .select([
      sql<number>`coalesce(in_hand.held, 0)`.as("held"),
      sql<number>`row_number() over (partition by delivery.scope_id
        order by delivery.next_attempt_at, delivery.id)`.as("place"),
    ])
    .where("delivery.state", "in", ["waiting", "sending"])
    .where("delivery.next_attempt_at", "<=", at);
  return db
    .selectFrom(waiting.as("waiting"))
    .selectAll("waiting")
    .where(sql<boolean>`place + held <= ${perScopeMax}`)
    .orderBy("place")
    .orderBy("next_attempt_at")
    .limit(max)
    .execute();
}

/** Changes it while it is not settled and that attempt is its latest. */
async function change(
  db: Kysely<ControlTables>,
  id: string,
  attempts: number,
  values: Partial<NotificationDeliveryTable> & { attempts?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("notification_delivery")
    .set(values)
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function settledColumns(outcome: DeliveryOutcome, now: Date) {
  const { state, reason } = outcome;
  if (outcome.state === "waiting") return { state, reason, next_attempt_at: outcome.nextAttemptAt.toISOString() };
  return { state, reason, settled_at: now.toISOString() };
}

function toTaken(row: NotificationDeliveryTable): TakenDelivery {
  return {
    ...{ id: row.id, scopeId: row.scope_id, ruleId: row.rule_id, occasion: row.occasion, incidentId: row.incident_id },
    ...{ type: typeSchema.parse(row.type), channel: channelSchema.parse(row.channel), recipient: row.recipient },
    ...{ createdAt: row.created_at, heldBackUntil: row.held_back_until, attempt: Number(row.attempts) + 1 },
  };
}

async function forget(db: Kysely<ControlTables>, before: string, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("notification_delivery")
    .where("id", "in", (from) =>
      from
        .selectFrom("notification_delivery")
        .select("id")
        .where("state", "in", ["sent", "given_up"])
        .where("next_attempt_at", "<", before)
        .limit(max),
    )
    .executeTakeFirst();
  await db
    .deleteFrom("notification_held_back")
    .where("summary_occasion", "is not", null)
    .where("until", "<", before)
    .execute();
  return Number(numDeletedRows);
}
