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
 * The events that a rule can announce. `returned`: an incident opened for a failure that had
 * stopped, or is open again. `completed`: the
 * report is ready, including after a repeated investigation.
 */
export const notificationEvents = ["opened", "returned", "completed", "failed"] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/**
 * The types of messages: the events above, a summary of held-back messages, and a test. `corrected`: a refined report
 * names another cause; sent by rules for `completed`. `resolved`: someone resolved the incident, or the
 * alert that it opened for ended; it resolves the alert that the rule opened in a pager, and goes nowhere else.
 */
export const notificationTypes = [...notificationEvents, "corrected", "resolved", "summary", "test"] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** The channels of a message. */
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
  /** The events to announce. */
  events: z.array(z.enum(notificationEvents)).min(1).max(notificationEvents.length),
  /**
   * The incidents to announce: of this severity or worse, and of one of these services, environments, and triggers. An
   * empty list means any.
   */
  min_severity: z.enum(severities).default("low"),
  services: names,
  envs: names,
  triggers: z.array(z.enum(triggerKinds)).max(triggerKinds.length).default([]),
  /** The lowest confidence of the report; 0 announces any incident, even before there is a report. */
  min_confidence: z.number().min(0).max(1).default(0),
  /** When messages wait. */
  quiet_hours: quietHoursSchema.nullable().default(null),
  /** The recipients of mails. */
  emails: z.array(oneLine.max(emailLengthMax).pipe(z.email())).max(limits.notificationEmailsMax).default([]),
  webhook_url: httpsUrlSchema.nullable().default(null),
  /** Whether to post to Slack and to Microsoft Teams. */
  slack: z.boolean().default(false),
  teams: z.boolean().default(false),
  /** The account's region; null when the rule doesn't send there. */
  pagerduty: z.enum(pagerDutyRegions).nullable().default(null),
  opsgenie: z.enum(opsgenieSites).nullable().default(null),
  /** Messages per hour to each recipient. The rest are sent as one message when the hour is over. */
  per_hour: z.int().min(1).max(limits.notificationsPerHourMax).default(perHourDefault),
};

/** The settings of a rule, without the credentials of its channels. */
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

/** The delivery of one message to one recipient. */
export const notificationDeliverySchema = z.object({
  /** The same in each attempt and in the message, so that a recipient can recognize duplicates. */
  id: z.string(),
  type: z.enum(notificationTypes),
  /** Null for a summary and a test. */
  incident: z.object({ id: z.string(), title: z.string() }).nullable(),
  channel: z.enum(notificationChannels),
  /** An email address; empty for other channels. */
  recipient: z.string(),
  state: z.enum(notificationDeliveryStates),
  attempts: z.int().min(0),
  created_at: timestampSchema,
  settled_at: timestampSchema.nullable(),
  /** Null once it is settled. */
  next_attempt_at: timestampSchema.nullable(),
  /** Why the latest attempt failed, or a remark about a delivery that didn't. */
  reason: z.string().nullable(),
});
export type NotificationDelivery = z.infer<typeof notificationDeliverySchema>;

/** A rule of an organization: which incidents to announce, and to whom. */
export const notificationRuleSchema = z.object({
  ...ruleFields,
  id: z.string(),
  changed_at: timestampSchema,
  changed_by: z.object({ id: z.string(), name: z.string() }),
  /** The worst delivery of the newest message. */
  last_delivery: notificationDeliverySchema.nullable(),
  /** The number of incidents waiting to be sent in one message. */
  held_back: z.int().min(0),
});
export type NotificationRule = z.infer<typeof notificationRuleSchema>;

/** The answer of `GET /api/notification-rules`, without credentials. Members see a webhook's host, but not its path. */
export const notificationRuleListSchema = z.object({
  rules: z.array(notificationRuleSchema),
  /** `log`: no mail server is configured, so mails are written to the service's log. */
  mail: z.enum(["smtp", "log"]),
});
export type NotificationRuleList = z.infer<typeof notificationRuleListSchema>;

/** The answer to a change of a rule. */
export const notificationRuleAnswerSchema = z.object({
  rule: notificationRuleSchema,
  /** The key that signs the webhook's messages. Only the answer to the change that created it contains it. */
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

/** A notification: the JSON body of a webhook, and the content of an email. */
export const notificationSchema = z.object({
  /** The delivery's id. */
  id: z.string(),
  type: z.enum(notificationTypes),
  created_at: timestampSchema,
  rule: z.object({ id: z.string(), name: z.string(), url: z.string() }),
  /** The incident when the message is sent. Null in a summary and in a test. */
  incident: announcedIncidentSchema
    .extend({
      status: z.enum(incidentStatuses),
      trigger: z.enum(triggerKinds),
      /** Why the incident opened. */
      decision: z.string(),
      opened_at: timestampSchema,
      /** When its failure was first seen, if known. */
      since: timestampSchema,
      /** These four fields are from the report; null until there is one. */
      root_cause: z
        .object({ category: categorySchema, summary: z.string(), location: locationSchema.nullable() })
        .nullable(),
      /** What happened first, and in which service. */
      origin: z.object({ what: z.string(), service: z.string().nullable() }).nullable(),
      confidence: z.object({ score: z.number().min(0).max(1), basis: z.string() }).nullable(),
      first_solution: z.object({ title: z.string(), detail: z.string() }).nullable(),
      /** Why the investigation failed. */
      failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    })
    .nullable(),
  /** In a summary: how many incidents were held back, and the first of them. */
  held_back: z.object({ incidents: z.int().min(1), first: z.array(announcedIncidentSchema) }).nullable(),
  /** In the last message that fits in an hour: until when further ones are held back. */
  held_back_until: timestampSchema.nullable(),
});
export type Notification = z.infer<typeof notificationSchema>;
