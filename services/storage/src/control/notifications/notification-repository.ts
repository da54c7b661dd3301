import {
  limits,
  type NotificationDelivery,
  type NotificationRule,
  notificationChannels,
  notificationDeliverySchema,
  notificationRuleChoiceSchema,
  notificationRuleSchema,
  sendsTo,
  severities,
} from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { SecretRepository } from "../settings/secret-db.ts";
import type { ControlTables } from "../tables.ts";
import type { HeldBack, NotificationRepository, SecretChannel, WrittenRule } from "./notification-db.ts";
import { deliveriesTo } from "./notification-recipients.ts";
import type { NotificationDeliveryTable, NotificationRuleTable } from "./notification-tables.ts";

const heldIncidentSchema = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.enum(severities),
  service: z.string().nullable(),
  env: z.string().nullable(),
});

const secretChannels = notificationChannels.filter((channel): channel is SecretChannel => channel !== "email");

/** The notification rules of one scope; the secrets of their channels are among its `secrets`. */
export function notificationRepository(
  db: Kysely<ControlTables>,
  secrets: SecretRepository,
  scopeId: string,
): NotificationRepository {
  const rules = () => db.selectFrom("notification_rule").selectAll().where("scope_id", "=", scopeId);
  const presented = (row: NotificationRuleTable) => present(db, scopeId, row);
  const keepSecrets = async (id: string, { secrets: given, now }: WrittenRule): Promise<void> => {
    for (const channel of secretChannels) {
      const secret = given[channel];
      if (secret !== undefined) await secrets.put(secretName(id, channel), secret, now);
    }
  };
  const removeSecrets = async (id: string, channels: readonly SecretChannel[] = secretChannels): Promise<void> => {
    for (const channel of channels) await secrets.remove(secretName(id, channel));
  };
  return {
    async list() {
      return Promise.all((await rules().orderBy("id").execute()).map(presented));
    },
    async find(id) {
      const row = await rules().where("id", "=", id).executeTakeFirst();
      return row ? presented(row) : null;
    },
    async create(rule) {
      const id = newId("ntr_");
      // First: a rule that is listed has its secrets.
      await keepSecrets(id, rule);
      const row = await inTransaction(db, (transaction) => insertRule(transaction, scopeId, id, rule));
      if (row) return presented(row);
      await removeSecrets(id);
      return null;
    },
    async replace(id, rule) {
      const [known] = await rules().where("id", "=", id).execute();
      if (!known) return null;
      await keepSecrets(id, rule);
      const row = await db
        .updateTable("notification_rule")
        .set(writtenColumns(rule))
        .where("id", "=", id)
        .where("scope_id", "=", scopeId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return null;
      await removeSecrets(
        id,
        secretChannels.filter((channel) => !sendsTo(channel, rule.change)),
      );
      return presented(row);
    },
    async remove(id) {
      const { numDeletedRows } = await db
        .deleteFrom("notification_rule")
        .where("id", "=", id)
        .where("scope_id", "=", scopeId)
        .executeTakeFirst();
      await removeSecrets(id);
      return numDeletedRows > 0n;
    },
    secret: (id, channel) => secrets.get(secretName(id, channel)),
    async deliveries(id, limit) {
      const found = await deliveryRows(db, scopeId, id).limit(limit).execute();
      return found.map(toDelivery);
    },
    async test(id, now) {
      const row = await rules().where("id", "=", id).executeTakeFirst();
      if (row) await addTest(db, row, now);
      return row !== undefined;
    },
    heldBack: (summary, max) => readHeldBack(db, scopeId, summary, max),
  };
}

function secretName(ruleId: string, channel: SecretChannel): string {
  return `notification.${ruleId}.${channel}`;
}

async function insertRule(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  id: string,
  rule: WrittenRule,
): Promise<NotificationRuleTable | null> {
  const { existing } = await transaction
    .selectFrom("notification_rule")
    .select(({ fn }) => fn.countAll<number | bigint>().as("existing"))
    .where("scope_id", "=", scopeId)
    .executeTakeFirstOrThrow();
  if (Number(existing) >= limits.notificationRulesMax) return null;
  return transaction
    .insertInto("notification_rule")
    .values({ id, scope_id: scopeId, hour_started_at: null, hour_sent: 0, ...writtenColumns(rule) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function writtenColumns({ change, by, now }: WrittenRule) {
  // Parsed, so that a credential that comes with a change is never among it.
  const { enabled, ...rest } = notificationRuleChoiceSchema.parse(change);
  return {
    enabled: enabled ? 1 : 0,
    rule_json: JSON.stringify(rest),
    changed_at: now.toISOString(),
    user_id: by.id,
    user_name: by.name,
  };
}

async function present(
  db: Kysely<ControlTables>,
  scopeId: string,
  row: NotificationRuleTable,
): Promise<NotificationRule> {
  const latest = await latestDelivery(db, scopeId, row.id);
  const { waiting } = await db
    .selectFrom("notification_held_back")
    .select(({ fn }) => fn.count<number | bigint>("incident_id").distinct().as("waiting"))
    .where("rule_id", "=", row.id)
    .where("summary_occasion", "is", null)
    .executeTakeFirstOrThrow();
  return notificationRuleSchema.parse({
    ...JSON.parse(row.rule_json),
    id: row.id,
    enabled: row.enabled === 1,
    changed_at: row.changed_at,
    changed_by: { id: row.user_id, name: row.user_name },
    held_back: Number(waiting),
    last_delivery: latest,
  });
}

/** The state of the newest occasion: some recipients may have it while others don't. */
async function latestDelivery(
  db: Kysely<ControlTables>,
  scopeId: string,
  ruleId: string,
): Promise<NotificationDelivery | null> {
  const newest = await deliveryRows(db, scopeId, ruleId).limit(1).executeTakeFirst();
  if (!newest) return null;
  const newestRows = await deliveryRows(db, scopeId, ruleId).where("delivery.occasion", "=", newest.occasion).execute();
  const deliveries = newestRows.map(toDelivery);
  return (
    deliveries.find(({ state }) => state === "given_up") ??
    deliveries.find(({ state }) => state === "waiting") ??
    toDelivery(newest)
  );
}

function deliveryRows(db: Kysely<ControlTables>, scopeId: string, ruleId: string) {
  return db
    .selectFrom("notification_delivery as delivery")
    .leftJoin("incident", (join) =>
      join.onRef("incident.id", "=", "delivery.incident_id").onRef("incident.scope_id", "=", "delivery.scope_id"),
    )
    .selectAll("delivery")
    .select("incident.title as incident_title")
    .where("delivery.scope_id", "=", scopeId)
    .where("delivery.rule_id", "=", ruleId)
    .orderBy("delivery.id", "desc");
}

function toDelivery(row: NotificationDeliveryTable & { incident_title: string | null }): NotificationDelivery {
  const isSettled = row.settled_at !== null;
  return notificationDeliverySchema.parse({
    id: row.id,
    type: row.type,
    channel: row.channel,
    recipient: row.recipient,
    attempts: row.attempts,
    incident: row.incident_id === null ? null : { id: row.incident_id, title: row.incident_title ?? row.incident_id },
    state: row.state === "sending" ? "waiting" : row.state,
    created_at: row.created_at,
    settled_at: row.settled_at,
    reason: row.reason,
    next_attempt_at: isSettled ? null : row.next_attempt_at,
  });
}

async function addTest(db: Kysely<ControlTables>, row: NotificationRuleTable, now: Date): Promise<void> {
  const announced = { occasion: newId("ntf_"), type: "test", incidentId: null, heldBackUntil: null } as const;
  await db
    .insertInto("notification_delivery")
    .values(deliveriesTo(row, announced, now))
    .execute();
}

async function readHeldBack(
  db: Kysely<ControlTables>,
  scopeId: string,
  { ruleId, occasion }: Parameters<NotificationRepository["heldBack"]>[0],
  max: number,
): Promise<HeldBack> {
  const rows = () =>
    db
      .selectFrom("notification_held_back as held")
      .innerJoin("incident", "incident.id", "held.incident_id")
      .where("incident.scope_id", "=", scopeId)
      .where("held.rule_id", "=", ruleId)
      .where("held.summary_occasion", "=", occasion);
  const { count } = await rows()
    .select(({ fn }) => fn.count<number | bigint>("incident.id").distinct().as("count"))
    .executeTakeFirstOrThrow();
  const first = await rows()
    .select(["incident.id", "incident.title", "incident.severity", "incident.service", "incident.env"])
    .groupBy(["incident.id", "incident.title", "incident.severity", "incident.service", "incident.env"])
    .orderBy(({ fn }) => fn.min("held.at"))
    .orderBy("incident.id")
    .limit(max)
    .execute();
  return { count: Number(count), first: first.map((row) => heldIncidentSchema.parse(row)) };
}
