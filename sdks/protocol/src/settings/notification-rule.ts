import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { incidentStatuses, severities, triggerSchema } from "../incidents/incident.ts";
import { limits } from "../limits.ts";
import { locationSchema } from "../reports/evidence.ts";
import { timestampSchema } from "../text.ts";
import {
  type CredentialChannel,
  channelCredentials,
  credentialChannels,
  httpsUrlSchema,
  opsgenieSites,
  pagerDutyRegions,
} from "./notification-credentials.ts";
import { quietHoursSchema } from "./quiet-hours.ts";

/**
 * What a rule can tell of. `returned`: an incident opened for a failure that had been away. `completed`: the report is
 * ready, also when it was asked for again.
 */
export const notificationEvents = ["opened", "returned", "completed", "failed"] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/**
 * What a message may be: one of those, what was held back within an hour, or a test. `corrected`: a report that was
 * refined names another cause; for rules that tell of `completed`. `resolved`: the alert that the incident opened for is
 * over; it resolves the one that the rule opened in a pager, and goes nowhere else.
 */
export const notificationTypes = [...notificationEvents, "corrected", "resolved", "summary", "test"] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** How a message travels. */
export const notificationChannels = ["email", "webhook", "slack", "teams", "pagerduty", "opsgenie"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

const emailLengthMax = 254;
const perHourDefault = 20;

const oneLine = z.string().trim().min(1);
const names = z.array(oneLine.max(limits.serviceLengthMax)).max(limits.notificationFilterNamesMax).default([]);
const triggerKinds = triggerSchema.options.map(({ shape }) => shape.kind.value);

const ruleFields = {
  name: oneLine.max(limits.notificationRuleNameLengthMax).regex(/^\P{Cc}*$/u, "it must be one line"),
  enabled: z.boolean().default(true),
  /** When. */
  events: z.array(z.enum(notificationEvents)).min(1).max(notificationEvents.length),
  /** Which incidents: of this severity or worse; of one of these services, environments, triggers. Empty: of any. */
  min_severity: z.enum(severities).default("low"),
  services: names,
  envs: names,
  triggers: z.array(z.enum(triggerKinds)).max(triggerKinds.length).default([]),
  /** Only incidents whose report reaches this confidence; 0: of any, also before there is a report. */
  min_confidence: z.number().min(0).max(1).default(0),
  /** When messages wait. */
  quiet_hours: quietHoursSchema.nullable().default(null),
  /** To whom. */
  emails: z.array(oneLine.max(emailLengthMax).pipe(z.email())).max(limits.notificationEmailsMax).default([]),
  webhook_url: httpsUrlSchema.nullable().default(null),
  /** Whether to post to Slack and to Microsoft Teams. */
  slack: z.boolean().default(false),
  teams: z.boolean().default(false),
  /** Where the account is; null: not sent there. */
  pagerduty: z.enum(pagerDutyRegions).nullable().default(null),
  opsgenie: z.enum(opsgenieSites).nullable().default(null),
  /** Messages within an hour, to each of them; what is beyond comes in one message when the hour is over. */
  per_hour: z.int().min(1).max(limits.notificationsPerHourMax).default(perHourDefault),
};

/** What is chosen in a rule, without the credentials of its channels. */
export const notificationRuleChoiceSchema = z.object(ruleFields);
export type NotificationRuleChoice = z.infer<typeof notificationRuleChoiceSchema>;

/** Whether a rule sends to this channel. */
export function sendsTo(
  channel: NotificationChannel,
  rule: Pick<NotificationRuleChoice, "emails" | "webhook_url" | CredentialChannel>,
): boolean {
  if (channel === "email") return rule.emails.length > 0;
  if (channel === "webhook") return rule.webhook_url !== null;
  return rule[channel] !== null && rule[channel] !== false;
}

/** The body of `POST /api/notification-rules` and of `PUT /api/notification-rules/{id}`, which replaces a rule. */
export const notificationRuleChangeSchema = notificationRuleChoiceSchema
  .extend(channelCredentials)
  .refine((rule) => notificationChannels.some((channel) => sendsTo(channel, rule)), {
    path: ["emails"],
    message: "a rule needs at least one recipient: an email address or another channel",
  })
  .superRefine((rule, { addIssue }) => {
    for (const { channel, field } of credentialChannels) {
      if (rule[field] === null || sendsTo(channel, rule)) continue;
      addIssue({
        code: "custom",
        path: [field],
        message: `the rule doesn't send to this channel: set \`${channel}\` too`,
      });
    }
  });
export type NotificationRuleChange = z.infer<typeof notificationRuleChangeSchema>;

export const notificationDeliveryStates = ["waiting", "sent", "given_up"] as const;

/** What became of one message to one recipient. */
export const notificationDeliverySchema = z.object({
  /** The same in each attempt, and in the message: who gets it twice can tell. */
  id: z.string(),
  type: z.enum(notificationTypes),
  /** Null for a summary and a test. */
  incident: z.object({ id: z.string(), title: z.string() }).nullable(),
  channel: z.enum(notificationChannels),
  /** An address; empty for other channels. */
  recipient: z.string(),
  state: z.enum(notificationDeliveryStates),
  attempts: z.int().min(0),
  created_at: timestampSchema,
  settled_at: timestampSchema.nullable(),
  /** Null once it is settled. */
  next_attempt_at: timestampSchema.nullable(),
  /** Why the latest attempt failed, or what there is to know of the one that did not. */
  reason: z.string().nullable(),
});
export type NotificationDelivery = z.infer<typeof notificationDeliverySchema>;

/** A rule of an organization: which incidents to announce, and to whom. */
export const notificationRuleSchema = z.object({
  ...ruleFields,
  id: z.string(),
  changed_at: timestampSchema,
  changed_by: z.object({ id: z.string(), name: z.string() }),
  /** The worst delivery of the newest occasion. */
  last_delivery: notificationDeliverySchema.nullable(),
  /** Incidents that wait to be sent in one message. */
  held_back: z.int().min(0),
});
export type NotificationRule = z.infer<typeof notificationRuleSchema>;

/** The answer of `GET /api/notification-rules`, without any credential. Members see of a webhook where it leads, without its path. */
export const notificationRuleListSchema = z.object({
  rules: z.array(notificationRuleSchema),
  /** `log`: no mail server is configured, and mails are written to the log of the service. */
  mail: z.enum(["smtp", "log"]),
});
export type NotificationRuleList = z.infer<typeof notificationRuleListSchema>;

/** The answer to a change of a rule. */
export const notificationRuleAnswerSchema = z.object({
  rule: notificationRuleSchema,
  /** The key that signs its webhook's messages. Only the answer to the change that created it has it. */
  webhook_secret: z.string().nullable(),
});
export type NotificationRuleAnswer = z.infer<typeof notificationRuleAnswerSchema>;

/** The answer of `GET /api/notification-rules/{id}/deliveries`, the newest first. */
export const notificationDeliveriesSchema = z.object({ deliveries: z.array(notificationDeliverySchema) });
export type NotificationDeliveries = z.infer<typeof notificationDeliveriesSchema>;

const announcedIncidentSchema = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.enum(severities),
  service: z.string().nullable(),
  env: z.string().nullable(),
  url: z.string(),
});

/** A message, as a webhook gets it in JSON and a mail says it in words. */
export const notificationSchema = z.object({
  /** Of the delivery. */
  id: z.string(),
  type: z.enum(notificationTypes),
  created_at: timestampSchema,
  rule: z.object({ id: z.string(), name: z.string(), url: z.string() }),
  /** As it is when the message is sent. Null in a summary and in a test. */
  incident: announcedIncidentSchema
    .extend({
      status: z.enum(incidentStatuses),
      trigger: z.enum(triggerKinds),
      /** Why it opened. */
      decision: z.string(),
      opened_at: timestampSchema,
      /** When its failure was first seen, as far as that is known. */
      since: timestampSchema,
      /** These four are of the report, null as long as there is none. */
      root_cause: z
        .object({ category: categorySchema, summary: z.string(), location: locationSchema.nullable() })
        .nullable(),
      /** Where it started: what happened first, and in which service. */
      origin: z.object({ what: z.string(), service: z.string().nullable() }).nullable(),
      confidence: z.object({ score: z.number().min(0).max(1), basis: z.string() }).nullable(),
      first_solution: z.object({ title: z.string(), detail: z.string() }).nullable(),
      /** Why the investigation failed. */
      failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    })
    .nullable(),
  /** In a summary: how many were held back, and the first of them. */
  held_back: z.object({ incidents: z.int().min(1), first: z.array(announcedIncidentSchema) }).nullable(),
  /** In the last message that an hour has room for: until when further ones are held back. */
  held_back_until: timestampSchema.nullable(),
});
export type Notification = z.infer<typeof notificationSchema>;
