import type { AlertSender } from "./alert-senders/alert-sender.ts";
import { alertmanager } from "./alertmanager/alert-sender.ts";
import { snsSource } from "./cloudwatch/alert-sender.ts";
import { datadog } from "./datadog/alert-sender.ts";
import { github } from "./github/alert-sender.ts";
import { gitlab } from "./gitlab/alert-sender.ts";
import { grafana } from "./grafana/alert-sender.ts";
import { linear } from "./linear/alert-sender.ts";
import { pagerduty } from "./pagerduty/alert-sender.ts";
import { sentry } from "./sentry/alert-sender.ts";
import { slack } from "./slack/alert-sender.ts";
import { webhook } from "./standard-webhooks/alert-sender.ts";
import { vercel } from "./vercel/alert-sender.ts";

/** The senders that can be added as alert sources. */
export interface AlertSenders {
  /** In the order in which a form shows them. */
  readonly all: readonly AlertSender[];
  /** The sender of a kind; null when there is none. */
  find(kind: string): AlertSender | null;
}

export const alertSenders: AlertSenders = alertSendersOf([
  alertmanager,
  grafana,
  datadog,
  pagerduty,
  snsSource(),
  sentry,
  vercel,
  slack,
  linear,
  github,
  gitlab,
  webhook,
]);

export function alertSendersOf(all: readonly AlertSender[]): AlertSenders {
  return { all, find: (kind) => all.find((sender) => sender.kind === kind) ?? null };
}
