import { z } from "zod";

/** The regions of PagerDuty accounts. */
export const pagerDutyRegions = ["us", "eu"] as const;
export type PagerDutyRegion = (typeof pagerDutyRegions)[number];

/** The systems that receive Opsgenie alerts: Opsgenie in the US or the EU, or Jira Service Management. */
export const opsgenieSites = ["us", "eu", "jsm"] as const;
export type OpsgenieSite = (typeof opsgenieSites)[number];

const urlLengthMax = 2_000;
const keyLengthMax = 200;
const routingKey = /^[0-9a-zA-Z]{32}$/;
const slackHosts: readonly string[] = ["hooks.slack.com", "hooks.slack-gov.com"];
const retiredTeamsHost = /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/;

/** An address with `https:`, without a user name or password. */
export const httpsUrlSchema = z
  .string()
  .trim()
  .min(1)
  .max(urlLengthMax)
  .pipe(z.url())
  .refine((url) => URL.parse(url)?.protocol === "https:", "it must begin with https://")
  .refine(isBare, "it must hold no user name and no password");

/** The ID of a channel, public or private. */
const slackChannel = /^[CG][0-9A-Z]{7,30}$/;

const slackTargetSchema = z
  .string()
  .trim()
  .min(1)
  .max(urlLengthMax)
  .refine(
    (target) => isSlackChannel(target) || isSlackWebhook(target),
    "it must be the ID of a channel, such as C0123456789, or an incoming webhook of Slack: https://hooks.slack.com/services/…",
  );

const teamsUrlSchema = httpsUrlSchema.refine(
  (url) => !retiredTeamsHost.test(URL.parse(url)?.hostname ?? ""),
  "it is an Office 365 connector, which Microsoft has retired: create a webhook with the Workflows app",
);

const keySchema = z
  .string()
  .trim()
  .min(1)
  .max(keyLengthMax)
  .regex(/^[\x21-\x7e]*$/, "it must be a key, without spaces");

/**
 * The credentials of a rule's channels. They are stored encrypted, and no answer contains them. Null keeps the stored
 * one.
 */
export const channelCredentials = {
  slack_target: slackTargetSchema.nullable().default(null),
  teams_url: teamsUrlSchema.nullable().default(null),
  pagerduty_key: keySchema
    .regex(routingKey, "it must be the integration key of an Events API v2 integration: 32 letters and digits")
    .nullable()
    .default(null),
  opsgenie_key: keySchema.nullable().default(null),
};

/** The channels that need a credential, each with its field in a change. */
export const credentialChannels = [
  { channel: "slack", field: "slack_target" },
  { channel: "teams", field: "teams_url" },
  { channel: "pagerduty", field: "pagerduty_key" },
  { channel: "opsgenie", field: "opsgenie_key" },
] as const;
export type CredentialChannel = (typeof credentialChannels)[number]["channel"];

function isBare(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username === "" && parsed.password === "";
}

/** Whether a rule posts in a channel as the organization's Slack app, rather than through an incoming webhook. */
export function isSlackChannel(target: string): boolean {
  return slackChannel.test(target);
}

function isSlackWebhook(target: string): boolean {
  const parsed = httpsUrlSchema.safeParse(target).success ? URL.parse(target) : null;
  return parsed !== null && slackHosts.includes(parsed.host) && parsed.pathname.startsWith("/services/");
}
