import { type AlertSource, type AlertSourceKind, alertSourceKinds } from "@whence/protocol";
import type { JSX } from "react";
import styles from "./alert-source-steps.module.css";
import { SlackAppLinks } from "./slack-app-links.tsx";

/** The steps at each sender. The documentation page has the details. */
const steps: Readonly<Record<AlertSourceKind, readonly JSX.Element[]>> = {
  alertmanager: [
    <>
      In <code>alertmanager.yml</code>, add a receiver with a <code>webhook_configs</code> entry whose <code>url</code>{" "}
      is this address.
    </>,
    <>
      In its <code>http_config</code>, set <code>authorization.credentials</code> to the bearer token.
    </>,
    <>Route alerts to the receiver, and reload Alertmanager.</>,
  ],
  grafana: [
    <>
      Under <strong>Alerting → Contact points</strong>, add a contact point with the integration{" "}
      <strong>Webhook</strong> and this address.
    </>,
    <>
      Under <strong>HMAC Signature</strong>, enter the secret, and <code>X-Grafana-Alerting-Timestamp</code> as the
      timestamp header.
    </>,
    <>Choose the contact point in your notification policies.</>,
  ],
  datadog: [
    <>
      Under <strong>Integrations → Webhooks</strong>, add a webhook with this address and the payload from the
      instructions.
    </>,
    <>
      Set its custom headers to <code>{'{"Authorization": "Bearer …"}'}</code> with the bearer token.
    </>,
    <>
      Add <code>@webhook-</code> and the webhook's name to the message of each monitor.
    </>,
  ],
  pagerduty: [
    <>
      Under <strong>Integrations → Generic Webhooks (v3)</strong>, add a webhook with this address.
    </>,
    <>
      Subscribe it to <code>incident.triggered</code>, <code>incident.reopened</code>, and{" "}
      <code>incident.resolved</code>.
    </>,
    <>Save the webhook. PagerDuty shows its signing secret once: enter it here.</>,
  ],
  sns: [
    <>
      In Amazon SNS, subscribe this address to the topic with the protocol <strong>HTTPS</strong>, without raw message
      delivery.
    </>,
    <>Whence confirms the subscription within seconds.</>,
    <>Make the topic the notification of your CloudWatch alarms, for the states In alarm and OK.</>,
  ],
  sentry: [
    <>
      Under <strong>Settings → Developer Settings</strong>, create an internal integration with this address as its
      webhook URL, and turn on <strong>Alert Rule Action</strong>.
    </>,
    <>Save the integration. Sentry then shows its client secret for a short time: enter it here.</>,
    <>Add the integration as an action to your alert rules.</>,
  ],
  vercel: [
    <>
      In your team's <strong>Settings → Webhooks</strong>, create a webhook with this address and the events{" "}
      <strong>Deployment Error</strong>, <strong>Deployment Succeeded</strong>, and <strong>Deployment Promoted</strong>
      .
    </>,
    <>Vercel shows the webhook's secret once: enter it here.</>,
  ],
  slack: [
    <>
      Create the app with a link above, choose your workspace, and install it under <strong>Install App</strong>.
    </>,
    <>
      Enter its tokens here: the signing secret is under <strong>Basic Information</strong>, the bot token under{" "}
      <strong>OAuth & Permissions</strong>. Socket Mode also needs an app-level token with{" "}
      <code>connections:write</code>.
    </>,
    <>
      Without Socket Mode, choose <strong>Retry</strong> under <strong>Event Subscriptions</strong>: Slack then verifies
      this address.
    </>,
    <>
      In a channel, type <code>/invite @Whence</code>. Then reply to an alert with <code>@Whence why?</code>
    </>,
  ],
  linear: [
    <>
      Under <strong>Settings → API → OAuth applications</strong>, create an application. Its name and its icon are those
      of the bot. As the callback URL, enter the address of this page: Linear asks for one, and it isn't used.
    </>,
    <>
      Turn on <strong>Client credentials</strong>, and <strong>Webhooks</strong> with this address and{" "}
      <strong>Agent session events</strong>.
    </>,
    <>Save the application. Linear shows its client ID, its client secret, and the signing secret: enter them here.</>,
    <>Delegate an issue to the bot, or mention it in a comment.</>,
  ],
  github: [
    <>
      Create a GitHub account for the bot, and give it access to your repositories. With it, create a fine-grained
      personal access token that may read and write <strong>Issues</strong>, and enter the token here.
    </>,
    <>
      Under <strong>Settings → Webhooks</strong> of the repository or the organization, add a webhook with this address,
      the content type <code>application/json</code>, and the secret.
    </>,
    <>
      Choose the events <strong>Issues</strong> and <strong>Issue comments</strong>.
    </>,
    <>Assign an issue to the bot, or mention it in a comment.</>,
  ],
  gitlab: [
    <>
      Under <strong>Settings → Access tokens</strong> of the project or the group, create a token with the role{" "}
      <strong>Reporter</strong> and the scope <code>api</code>, and enter it here. Its name is the bot's.
    </>,
    <>
      Under <strong>Settings → Webhooks</strong>, add a webhook with this address and the secret token. If you generate
      a signing token as well, enter it here.
    </>,
    <>
      Choose the triggers <strong>Comments</strong>, <strong>Confidential comments</strong>,{" "}
      <strong>Work item events</strong>, and <strong>Confidential work item events</strong>.
    </>,
    <>Assign an issue or incident to the bot, or mention it in a comment.</>,
  ],
  webhook: [
    <>
      Post JSON with a <code>title</code> and a <code>text</code> to this address.
    </>,
    <>
      Sign each request with the secret as{" "}
      <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener noreferrer">
        Standard Webhooks
      </a>{" "}
      specifies, with one of its libraries.
    </>,
  ],
};

/** How to set up a sender, in short, with a link to the documentation. */
export function AlertSourceSteps({ kind, url }: Pick<AlertSource, "kind" | "url">): JSX.Element {
  return (
    <div className={styles.steps}>
      {kind === "slack" ? <SlackAppLinks url={url} /> : null}
      <ol>
        {steps[kind].map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
      <p>
        The sender must be able to reach the address.{" "}
        <a href={`/docs/triggers/${kind}`}>Instructions for {alertSourceKinds[kind].label}</a>
      </p>
    </div>
  );
}
