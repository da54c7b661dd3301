import type { NotificationChannel } from "@whence/protocol";
import type { Channel } from "./channel.ts";
import { type EmailChannelOptions, emailChannel } from "./email-channel.ts";
import { opsgenieChannel } from "./opsgenie-channel.ts";
import { pagerDutyChannel } from "./pagerduty-channel.ts";
import { slackChannel } from "./slack-channel.ts";
import { teamsChannel } from "./teams-channel.ts";
import { type WebhookChannelOptions, webhookChannel } from "./webhook-channel.ts";

/** The ways to notify people, by name. */
export function everyChannel(
  options: EmailChannelOptions & WebhookChannelOptions,
): Readonly<Record<NotificationChannel, Channel>> {
  return {
    email: emailChannel(options),
    webhook: webhookChannel(options),
    slack: slackChannel(options),
    teams: teamsChannel(options),
    pagerduty: pagerDutyChannel(options),
    opsgenie: opsgenieChannel(options),
  };
}
