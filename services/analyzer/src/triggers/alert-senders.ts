import type { AlertSourceKind } from "@whence/protocol";
import type { AlertSender } from "./alert-sender.ts";
import { alertmanager } from "./senders/alertmanager.ts";
import { datadog } from "./senders/datadog.ts";
import { github } from "./senders/github.ts";
import { gitlab } from "./senders/gitlab.ts";
import { grafana } from "./senders/grafana.ts";
import { linear } from "./senders/linear.ts";
import { pagerduty } from "./senders/pagerduty.ts";
import { sentry } from "./senders/sentry.ts";
import { slack } from "./senders/slack.ts";
import { snsSource } from "./senders/sns.ts";
import { vercel } from "./senders/vercel.ts";
import { webhook } from "./senders/webhook.ts";

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
