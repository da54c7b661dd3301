import {
  type NotificationChannel,
  type NotificationDelivery,
  type NotificationEvent,
  type NotificationRule,
  type NotificationType,
  notificationEvents,
  type OpsgenieSite,
  type PagerDutyRegion,
  type QuietHours,
  type Severity,
  sendsTo,
  severities,
  type Weekday,
  weekdays,
} from "@whence/protocol";

type TriggerKind = NotificationRule["triggers"][number];

const eventNames: Readonly<Record<NotificationEvent, string>> = {
  completed: "The report is ready, with the cause",
  failed: "The investigation failed",
  opened: "An incident opened",
  returned: "A failure returned",
};

const triggerNames: Readonly<Record<TriggerKind, string>> = {
  event: "Telemetry: an error of a service",
  "process-exit": "Process exit: a process stopped without shutting down",
  alert: "Alert: another system announced it",
  conversation: "Conversation: someone asked in a chat or on an issue",
  analyze: "Requested by someone",
};

const leastNames: Readonly<Record<Severity, string>> = {
  low: "Any",
  medium: "Medium or worse",
  high: "High or worse",
  critical: "Critical only",
};

/** The most common first. */
export const eventOptions = (["completed", "failed", "opened", "returned"] as const).map((value) => ({
  value,
  name: eventNames[value],
}));
export const triggerOptions = (["event", "process-exit", "alert", "conversation", "analyze"] as const).map((value) => ({
  value,
  name: triggerNames[value],
}));
export const severityOptions = severities.map((value) => ({ value, name: leastNames[value] }));

/** The channels of a rule other than email, the most common first, by their vendors' names. */
export const channelOptions = [
  { value: "slack", name: "Slack" },
  { value: "teams", name: "Microsoft Teams" },
  { value: "pagerduty", name: "PagerDuty" },
  { value: "opsgenie", name: "Opsgenie or Jira Service Management" },
  { value: "webhook", name: "Webhook" },
] as const satisfies readonly { readonly value: NotificationChannel; readonly name: string }[];

const regionNames: Readonly<Record<PagerDutyRegion, string>> = { us: "United States", eu: "Europe" };
const siteNames: Readonly<Record<OpsgenieSite, string>> = {
  us: "Opsgenie, United States",
  eu: "Opsgenie, Europe",
  jsm: "Jira Service Management",
};
export const regionOptions = (["us", "eu"] as const).map((value) => ({ value, name: regionNames[value] }));
export const siteOptions = (["us", "eu", "jsm"] as const).map((value) => ({ value, name: siteNames[value] }));

const dayNames: Readonly<Record<Weekday, string>> = {
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
};
export const dayOptions = weekdays.map((value) => ({ value, name: dayNames[value] }));

const recipientNames: Readonly<Record<Exclude<NotificationChannel, "email">, string>> = {
  slack: "Slack",
  teams: "Microsoft Teams",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
  webhook: "the webhook",
};

/** Returns the recipient of a message. */
export function recipientName(channel: NotificationChannel, recipient: string): string {
  return channel === "email" ? recipient : recipientNames[channel];
}

const typeNames: Readonly<Record<NotificationType, string>> = {
  completed: "Report ready",
  failed: "Investigation failed",
  opened: "Opened",
  returned: "Returned",
  corrected: "Cause corrected",
  resolved: "Resolved",
  summary: "Summary of held-back messages",
  test: "Test",
};

/** Returns what a message was about. */
export function messageName({ type, incident }: NotificationDelivery): string {
  return incident ? `${typeNames[type]}: ` : typeNames[type];
}

const briefEvents: Readonly<Record<NotificationEvent, string>> = {
  completed: "the report is ready",
  failed: "the investigation failed",
  opened: "an incident opened",
  returned: "a failure returned",
};

const briefTriggers: Readonly<Record<TriggerKind, string>> = {
  event: "telemetry",
  "process-exit": "process exit",
  alert: "an alert",
  conversation: "a conversation",
  analyze: "a request",
};

/** Returns a rule in a few facts: when, which, to whom. */
export function ruleFacts(rule: NotificationRule): string[] {
  const { events, min_severity: least, services, envs, triggers, per_hour: most } = rule;
  const list = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name} ${values.join(", ")}`];
  return [
    `when ${notificationEvents
      .filter((event) => events.includes(event))
      .map((event) => briefEvents[event])
      .join(" or ")}`,
    ...(least === "low" ? [] : [leastNames[least].toLowerCase()]),
    ...list("from", services),
    ...list("in", envs),
    ...list(
      "opened by",
      triggers.map((kind) => briefTriggers[kind]),
    ),
    ...(rule.min_confidence === 0 ? [] : [`${percent(rule.min_confidence)}% confidence or more`]),
    `to ${recipientsOf(rule).join(", ")}`,
    `at most ${most} per hour`,
    ...(rule.quiet_hours === null ? [] : [quietFact(rule.quiet_hours)]),
  ];
}

/** Returns a share as a percentage, without the rounding error of binary fractions. */
export function percent(share: number): number {
  return Math.round(share * 1_000) / 10;
}

function recipientsOf(rule: NotificationRule): string[] {
  const vendors = channelOptions.filter(({ value }) => value !== "webhook" && sendsTo(value, rule));
  return [
    ...rule.emails,
    ...vendors.map(({ value }) => recipientNames[value]),
    ...(rule.webhook_url === null ? [] : [`the webhook at ${new URL(rule.webhook_url).host}`]),
  ];
}

function quietFact({ from, to, time_zone: zone, days }: QuietHours): string {
  const chosen = weekdays.filter((day) => days.includes(day)).map((day) => dayNames[day].slice(0, 3));
  return `quiet ${from}–${to} (${zone})${chosen.length === weekdays.length ? "" : ` on ${chosen.join(", ")}`}`;
}
