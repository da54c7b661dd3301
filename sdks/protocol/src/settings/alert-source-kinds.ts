/** Something that is entered or made when an alert source is added. */
export interface AlertSourceInput {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** Made by the service and shown once, to be entered at the sender; otherwise the sender shows it. */
  readonly isMade: boolean;
  /** Not secret, and yet shown by the sender only once it has the source's address, as secrets are. */
  readonly isShownLater?: boolean;
  /** What the source also works without. */
  readonly isOptional?: boolean;
  /** Shown in an empty field. */
  readonly example?: string;
}

const made = (label: string): AlertSourceInput => ({ name: "secret", label, isSecret: true, isMade: true });
const given = (label: string): AlertSourceInput => ({ name: "secret", label, isSecret: true, isMade: false });
const token = (label: string): AlertSourceInput => ({ name: "token", label, isSecret: true, isMade: false });
/** Where an instance of the organization's own is, in place of the vendor's. */
const instance = (label: string, example: string): AlertSourceInput => ({
  ...{ name: "base_url", label, isSecret: false, isMade: false, isOptional: true, example },
});

/** The input that names what was installed at the sender, of a source that an installed application brought. */
export const installationInput = "installation";

/** The senders whose webhooks start an investigation: by an alert, or by someone who asks. */
export const alertSourceKinds = {
  alertmanager: { label: "Prometheus Alertmanager", inputs: [made("Bearer token")] },
  grafana: { label: "Grafana", inputs: [made("HMAC secret")] },
  datadog: { label: "Datadog", inputs: [made("Bearer token")] },
  pagerduty: { label: "PagerDuty", inputs: [given("Signing secret of the webhook subscription")] },
  sns: {
    label: "AWS CloudWatch through SNS",
    inputs: [
      {
        ...{ name: "topic_arn", label: "Topic ARN", isSecret: false, isMade: false },
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
      {
        ...{ name: "client_id", label: "Client ID of the application", isSecret: false, isMade: false },
        isShownLater: true,
      },
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
      {
        ...{ name: "signing_token", label: "Signing token of the webhook", isSecret: true, isMade: false },
        isOptional: true,
      },
    ],
  },
  webhook: { label: "Standard Webhooks", inputs: [made("Signing secret")] },
} as const satisfies Record<string, { readonly label: string; readonly inputs: readonly AlertSourceInput[] }>;

export type AlertSourceKind = keyof typeof alertSourceKinds;
