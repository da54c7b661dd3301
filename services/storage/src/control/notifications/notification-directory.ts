import { notificationChannels, notificationTypes } from "@whence/protocol";
import type { Kysely } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { isPostponed, planResolution } from "../incidents/plan-resolution.ts";
import { progressOf } from "../messages/message-columns.ts";
import { changeAttempt, takeInTurn } from "../messages/taken-in-turn.ts";
import type { ControlTables } from "../tables.ts";
import type { NotificationDirectory, TakenDelivery } from "./notification-db.ts";
import type { NotificationDeliveryTable } from "./notification-tables.ts";
import { planRule, summariseRule } from "./plan-notification.ts";

const kindSchema = z.enum(["opened", "completed", "corrected", "failed", "resolved", "returned"]);
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
        id,
        scopeId,
        incidentId,
        kind: kindSchema.parse(kind),
      }));
    },
    plan: (occasion, matched, now) =>
      inTransaction(db, async (transaction) => {
        const isResolution = occasion.kind === "resolved";
        if (isResolution && (await isPostponed(transaction, occasion, now))) return;
        // In a fixed order, so two planners wait for each other instead of deadlocking.
        for (const rule of matched.toSorted((left, right) => (left.ruleId < right.ruleId ? -1 : 1))) {
          if (isResolution) await planResolution(transaction, occasion, rule.ruleId, now);
          else await planRule(transaction, occasion, rule, now);
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
      return (await takeInTurn(db, "notification_delivery", now, bounds)).map(toTaken);
    },
    settle: (taken, outcome, now) => changeAttempt(db, "notification_delivery", taken, progressOf(outcome, now)),
    forget: (before, max) => forget(db, before.toISOString(), max),
  };
}

function toTaken(row: NotificationDeliveryTable): TakenDelivery {
  return {
    id: row.id,
    scopeId: row.scope_id,
    ruleId: row.rule_id,
    occasion: row.occasion,
    incidentId: row.incident_id,
    type: typeSchema.parse(row.type),
    channel: channelSchema.parse(row.channel),
    recipient: row.recipient,
    createdAt: row.created_at,
    heldBackUntil: row.held_back_until,
    attempt: Number(row.attempts),
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
