import type { AlertSourceKind } from "@whence/protocol";
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

export type AlertSenders = Readonly<Record<AlertSourceKind, AlertSender>>;

/** Every sender, by its kind. */
export const alertSenders: AlertSenders = {
  alertmanager,
  grafana,
  datadog,
  pagerduty,
  sns: snsSource(),
  sentry,
  vercel,
  slack,
  linear,
  github,
  gitlab,
  webhook,
};
