import {
  type CredentialChannel,
  credentialChannels,
  limits,
  type NotificationDeliveries,
  type NotificationRule,
  type NotificationRuleAnswer,
  type NotificationRuleChange,
  type NotificationRuleList,
  notificationDeliveriesSchema,
  notificationRuleAnswerSchema,
  notificationRuleChangeSchema,
  notificationRuleListSchema,
  sendsTo,
} from "@whence/protocol";
import type { AuditScope, NotificationRepository, NotificationScope, Scoped, WrittenRule } from "@whence/storage";
import { mintWebhookSecret } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { memberCaller, requireMember, requireOwner } from "../viewer.ts";

const deliveriesShown = 50;
const idShownMax = 60;

const operations = {
  list: {
    operationId: "list_notification_rules",
    tags: ["notifications"],
    summary: "List the notification rules, with the outcome of each rule's latest message",
    response: { 200: notificationRuleListSchema },
  },
  deliveries: {
    operationId: "list_notification_deliveries",
    tags: ["notifications"],
    summary: "List a rule's latest 50 messages and the outcome of each",
    response: { 200: notificationDeliveriesSchema },
    errors: ["WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN"],
  },
  create: {
    operationId: "create_notification_rule",
    tags: ["notifications"],
    summary: "Create a rule; the secret of its webhook is shown only once, and the credentials of its channels never",
    body: notificationRuleChangeSchema,
    response: { 200: notificationRuleAnswerSchema },
    errors: ["WHENCE_ERR_NOTIFICATION_RULES_FULL"],
  },
  replace: {
    operationId: "replace_notification_rule",
    tags: ["notifications"],
    summary: "Replace a rule; a newly added webhook gets a secret, which is shown only once",
    body: notificationRuleChangeSchema,
    response: { 200: notificationRuleAnswerSchema },
    errors: ["WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN"],
  },
  remove: {
    operationId: "delete_notification_rule",
    tags: ["notifications"],
    summary: "Delete a rule with its deliveries and the secrets of its channels",
    response: { 200: z.object({ id: z.string() }) },
    errors: ["WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN"],
  },
  replaceSecret: {
    operationId: "replace_notification_secret",
    tags: ["notifications"],
    summary: "Replace the secret of the rule's webhook; the new one is shown only once, and the old one stops working",
    response: { 200: notificationRuleAnswerSchema },
    errors: ["WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN", "WHENCE_ERR_NOTIFICATION_NO_WEBHOOK"],
  },
  test: {
    operationId: "test_notification_rule",
    tags: ["notifications"],
    summary: "Send a test message to every recipient of the rule",
    response: { 200: notificationDeliveriesSchema },
    errors: ["WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
  },
} as const satisfies Record<string, FastifySchema>;

interface RuleRoute {
  readonly Params: { readonly id: string };
}

type Context = HttpContext<Scoped<NotificationScope & AuditScope>>;

/** Rules for notifications: members read the rules and the outcome of their messages; owners change and test them. */
export function notificationRuleRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  readingRoutes(app, context);
  writingRoutes(app, context);
  webhookSecretRoute(app, context);
  testRoute(app, context, rateLimits);
}

function readingRoutes(app: FastifyInstance, context: Context): void {
  app.get(
    "/api/notification-rules",
    { ...byMember, schema: operations.list },
    async (request): Promise<NotificationRuleList> => {
      const member = await requireMember(context, request);
      const rules = await rulesOf(context, member).list();
      return { rules: rules.map((rule) => present(rule, member)), mail: context.hasMailServer ? "smtp" : "log" };
    },
  );

  app.get<RuleRoute>(
    "/api/notification-rules/:id/deliveries",
    { ...byMember, schema: operations.deliveries },
    async (request): Promise<NotificationDeliveries> => {
      const rules = rulesOf(context, await requireMember(context, request));
      const { id } = known(await rules.find(request.params.id), request.params.id);
      return { deliveries: [...(await rules.deliveries(id, deliveriesShown))] };
    },
  );
}

function writingRoutes(app: FastifyInstance, context: Context): void {
  app.post(
    "/api/notification-rules",
    { ...byOwner, schema: operations.create },
    async (request): Promise<NotificationRuleAnswer> => {
      requireSameOrigin(request, context);
      const change = parse(changeWith([]), request.body, "body");
      const owner = await requireOwner(context, request);
      const webhookSecret = change.webhook_url === null ? null : mintWebhookSecret();
      const secrets = secretsOf(change, webhookSecret);
      const rule = await rulesOf(context, owner).create({ change, secrets, ...writtenBy(context, owner) });
      if (!rule) throw analyzerErrors.create("WHENCE_ERR_NOTIFICATION_RULES_FULL", [limits.notificationRulesMax]);
      await recordChange(context, owner, "notification-rule.created", said(rule));
      return { rule, webhook_secret: webhookSecret };
    },
  );

  app.put<RuleRoute>(
    "/api/notification-rules/:id",
    { ...byOwner, schema: operations.replace },
    async (request): Promise<NotificationRuleAnswer> => {
      requireSameOrigin(request, context);
      parse(notificationRuleChangeSchema, request.body, "body");
      const owner = await requireOwner(context, request);
      const rules = rulesOf(context, owner);
      const before = known(await rules.find(request.params.id), request.params.id);
      const stored = credentialChannels.filter(({ channel }) => sendsTo(channel, before));
      const change = parse(changeWith(stored.map(({ channel }) => channel)), request.body, "body");
      const webhookSecret = before.webhook_url === null && change.webhook_url !== null ? mintWebhookSecret() : null;
      const secrets = secretsOf(change, webhookSecret);
      const rule = known(await rules.replace(before.id, { change, secrets, ...writtenBy(context, owner) }), before.id);
      await recordChange(context, owner, "notification-rule.changed", said(rule));
      return { rule, webhook_secret: webhookSecret };
    },
  );

  app.delete<RuleRoute>(
    "/api/notification-rules/:id",
    { ...byOwner, schema: operations.remove },
    async (request): Promise<{ id: string }> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const rules = rulesOf(context, owner);
      const rule = known(await rules.find(request.params.id), request.params.id);
      if (await rules.remove(rule.id)) await recordChange(context, owner, "notification-rule.deleted", said(rule));
      return { id: rule.id };
    },
  );
}

function webhookSecretRoute(app: FastifyInstance, context: Context): void {
  app.post<RuleRoute>(
    "/api/notification-rules/:id/secret",
    { ...byOwner, schema: operations.replaceSecret },
    async (request): Promise<NotificationRuleAnswer> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const rules = rulesOf(context, owner);
      const rule = known(await rules.find(request.params.id), request.params.id);
      if (rule.webhook_url === null) throw analyzerErrors.create("WHENCE_ERR_NOTIFICATION_NO_WEBHOOK", [rule.name]);
      const webhookSecret = mintWebhookSecret();
      const change = notificationRuleChangeSchema.parse(rule);
      const secrets = { webhook: webhookSecret };
      const replaced = await rules.replace(rule.id, { change, secrets, ...writtenBy(context, owner) });
      await recordChange(context, owner, "notification-rule.secret-replaced", said(rule));
      return { rule: known(replaced, rule.id), webhook_secret: webhookSecret };
    },
  );
}

function testRoute(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  app.post<RuleRoute>(
    "/api/notification-rules/:id/test",
    { ...byOwner, schema: operations.test },
    async (request, reply): Promise<NotificationDeliveries> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      request.caller = memberCaller(owner);
      await rateLimits.notificationTest(request, reply);
      const rules = rulesOf(context, owner);
      const rule = known(await rules.find(request.params.id), request.params.id);
      await rules.test(rule.id, new Date(context.clock()));
      await recordChange(context, owner, "notification-rule.tested", said(rule));
      return { deliveries: [...(await rules.deliveries(rule.id, deliveriesShown))] };
    },
  );
}

function rulesOf({ control }: Context, { organizationId }: Member): NotificationRepository {
  return control.scope(organizationId).notifications;
}

function writtenBy({ clock }: Pick<HttpContext, "clock">, { userId: id, name }: Member) {
  return { by: { id, name }, now: new Date(clock()) };
}

function known(rule: NotificationRule | null, id: string): NotificationRule {
  if (!rule) throw analyzerErrors.create("WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN", [id.slice(0, idShownMax)]);
  return rule;
}

/** Applies a change. Refuses it when a channel has a credential neither in the change nor in the stored rule. */
function changeWith(stored: readonly CredentialChannel[]) {
  return notificationRuleChangeSchema.superRefine((change, { addIssue }) => {
    for (const { channel, field } of credentialChannels) {
      if (change[field] !== null || !sendsTo(channel, change) || stored.includes(channel)) continue;
      addIssue({ code: "custom", path: [field], message: "the channel needs it, and none is stored" });
    }
  });
}

function secretsOf(change: NotificationRuleChange, webhook: string | null): WrittenRule["secrets"] {
  const given = credentialChannels.flatMap(({ channel, field }) => {
    const credential = change[field];
    return credential === null ? [] : [[channel, credential] as const];
  });
  return { ...Object.fromEntries(given), ...(webhook === null ? {} : { webhook }) };
}

/** A rule as a member sees it. A webhook's path may be a secret, so only owners see it. */
function present(rule: NotificationRule, { role }: Member): NotificationRule {
  if (role === "owner" || rule.webhook_url === null) return rule;
  return { ...rule, webhook_url: `${new URL(rule.webhook_url).origin}/…` };
}

function said(rule: NotificationRule): string {
  const { name, enabled, emails, webhook_url: url } = rule;
  const vendors = credentialChannels.map(({ channel }) => channel).filter((channel) => sendsTo(channel, rule));
  const recipients = [...emails, ...(url === null ? [] : [new URL(url).host]), ...vendors];
  return `${name}${enabled ? "" : " (off)"}, to ${recipients.join(", ")}`;
}
