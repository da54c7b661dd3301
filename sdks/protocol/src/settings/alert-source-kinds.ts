/** An input of an alert source, entered or generated when the source is added. */
export interface AlertSourceInput {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** Whether the service generates it and shows it once, to be entered at the sender. Otherwise the sender shows it. */
  readonly isMade: boolean;
  /** Whether the sender shows it only once it has the source's address, as it does with secrets. */
  readonly isShownLater?: boolean;
  /** Whether the source works without it. */
  readonly isOptional?: boolean;
  /** The placeholder of an empty field. */
  readonly example?: string;
}

const made = (label: string): AlertSourceInput => ({ name: "secret", label, isSecret: true, isMade: true });
const given = (label: string): AlertSourceInput => ({ name: "secret", label, isSecret: true, isMade: false });
const token = (label: string): AlertSourceInput => ({ name: "token", label, isSecret: true, isMade: false });
/** An input for the address of the organization's own instance, instead of the vendor's. */
const instance = (label: string, example: string): AlertSourceInput => ({
  name: "base_url",
  label,
  isSecret: false,
  isMade: false,
  isOptional: true,
  example,
});

/** The input that identifies the installation at the sender, for a source added by installing an application. */
export const installationInput = "installation";

/** The senders whose webhooks start an investigation, by an alert or a person's request. */
export const alertSourceKinds = {
  alertmanager: { label: "Prometheus Alertmanager", inputs: [made("Bearer token")] },
  grafana: { label: "Grafana", inputs: [made("HMAC secret")] },
  datadog: { label: "Datadog", inputs: [made("Bearer token")] },
  pagerduty: { label: "PagerDuty", inputs: [given("Signing secret of the webhook subscription")] },
  sns: {
    label: "AWS CloudWatch through SNS",
    inputs: [
      {
        name: "topic_arn",
        label: "Topic ARN",
        isSecret: false,
        isMade: false,
        example: "arn:aws:sns:us-east-1:123456789012:alarms",
      },
    ],
  },
  sentry: { label: "Sentry", inputs: [given("Client secret of the internal integration")] },
  vercel: { label: "Vercel", inputs: [given("Secret of the webhook")] },
  slack: {
    label: "Slack",
    inputs: [
      { name: "signing_secret", label: "Signing secret", isSecret: true, isMade: false },
      { name: "bot_token", label: "Bot user OAuth token", isSecret: true, isMade: false },
      { name: "app_token", label: "App-level token", isSecret: true, isMade: false, isOptional: true },
    ],
  },
  linear: {
    label: "Linear",
    inputs: [
      { name: "client_id", label: "Client ID of the application", isSecret: false, isMade: false, isShownLater: true },
      { name: "client_secret", label: "Client secret of the application", isSecret: true, isMade: false },
      given("Signing secret of the application's webhook"),
    ],
  },
  github: {
    label: "GitHub",
    inputs: [
      made("Webhook secret"),
      instance("URL of GitHub Enterprise Server", "https://github.example.com"),
      token("Token of the bot account"),
    ],
  },
  gitlab: {
    label: "GitLab",
    inputs: [
      made("Secret token"),
      instance("URL of GitLab", "https://gitlab.example.com"),
      token("Access token of the bot"),
      { name: "signing_token", label: "Signing token of the webhook", isSecret: true, isMade: false, isOptional: true },
    ],
  },
  webhook: { label: "Standard Webhooks", inputs: [made("Signing secret")] },
} as const satisfies Record<string, { readonly label: string; readonly inputs: readonly AlertSourceInput[] }>;

export type AlertSourceKind = keyof typeof alertSourceKinds;
