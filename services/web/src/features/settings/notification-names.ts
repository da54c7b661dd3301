import {
  type NotificationDelivery,
  type NotificationEvent,
  type NotificationRule,
  type NotificationType,
  notificationEvents,
  type Severity,
  severities,
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
  silence: "Silence: a process stopped reporting",
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
export const triggerOptions = (["event", "silence", "analyze"] as const).map((value) => ({
  value,
  name: triggerNames[value],
}));
export const severityOptions = severities.map((value) => ({ value, name: leastNames[value] }));

const typeNames: Readonly<Record<NotificationType, string>> = {
  ...{ completed: "Report ready", failed: "Investigation failed", opened: "Opened", returned: "Returned" },
  ...{ corrected: "Cause corrected", summary: "Summary of held-back messages", test: "Test" },
};

/** What a message was about. */
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
  silence: "silence",
  analyze: "a request",
};

/** A rule in a few facts: when, which, to whom. */
export function ruleFacts(rule: NotificationRule): string[] {
  const { events, min_severity: least, services, envs, triggers, emails, webhook_url: url, per_hour: most } = rule;
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
    `to ${[...emails, ...(url === null ? [] : [`the webhook at ${new URL(url).host}`])].join(", ")}`,
    `at most ${most} per hour`,
  ];
}
