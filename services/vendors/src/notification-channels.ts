import type { NotificationChannel } from "@whence/protocol";
import { type EmailChannelOptions, emailChannel } from "./email/notification-channel.ts";
import type { Channel } from "./notifications/channel.ts";
import { opsgenieChannel } from "./opsgenie/notification-channel.ts";
import { pagerDutyChannel } from "./pagerduty/notification-channel.ts";
import { slackChannel } from "./slack/notification-channel.ts";
import { type WebhookChannelOptions, webhookChannel } from "./standard-webhooks/notification-channel.ts";
import { teamsChannel } from "./teams/notification-channel.ts";

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
