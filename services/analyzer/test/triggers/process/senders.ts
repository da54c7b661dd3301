import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { alertmanagerGroup, grafanaGroup } from "@whence/vendors/testing/alertmanager/samples";
import { alarm, notification, topicArn } from "@whence/vendors/testing/cloudwatch/samples";
import { issueHook } from "@whence/vendors/testing/sentry/samples";
import { Webhook } from "standardwebhooks";
import type { Amazon } from "./amazon.ts";

type State = "firing" | "resolved";

/** A webhook as its sender posts it. */
export interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A failure, as different from others as the sender makes it. */
export interface Announced {
  readonly key: string;
  readonly state: State;
  /** When it began. */
  readonly at: Date;
}

/** One of the vendors that post webhooks. */
export interface Sender {
  readonly kind: string;
  /** What is entered when its source is added, or later. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What its incidents are called. */
  readonly title: string;
  post(announced: Announced, secret: string, sentAt: Date): Posted;
}

const entered = { secret: "a secret that the sender shows" };
const json = { "content-type": "application/json" };
const hex = (algorithm: string, secret: string, text: string): string =>
  createHmac(algorithm, secret).update(text).digest("hex");
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Every vendor, with the samples of the documentation and the vendor's way to sign. */
export function everySender(amazon: Amazon): readonly Sender[] {
  return [
    {
      ...{ kind: "alertmanager", inputs: {}, title: "5xx above 5%" },
      post: (announced, secret) => ({
        body: JSON.stringify(groupOf(alertmanagerGroup, announced)),
        headers: { ...json, authorization: `Bearer ${secret}` },
      }),
    },
    {
      ...{ kind: "grafana", inputs: {}, title: "5xx above 5%" },
      post(announced, secret, sentAt) {
        const body = JSON.stringify(groupOf(grafanaGroup, announced));
        const seconds = String(secondsOf(sentAt));
        const signature = hex("sha256", secret, `${seconds}:${body}`);
        return {
          body,
          headers: {
            ...json,
            ...{ "x-grafana-alerting-signature": signature, "x-grafana-alerting-timestamp": seconds },
          },
        };
      },
    },
    {
      ...{ kind: "datadog", inputs: {}, title: "Too many errors" },
      post: (announced, secret) => ({
        body: datadogBody(announced),
        headers: { ...json, authorization: `Bearer ${secret}` },
      }),
    },
    {
      ...{ kind: "pagerduty", inputs: entered, title: "Checkout fails" },
      post(announced, secret) {
        const body = JSON.stringify(pagerDutyEvent(announced));
        const signatures = ["the secret before", secret].map((key) => `v1=${hex("sha256", key, body)}`);
        return { body, headers: { ...json, "x-pagerduty-signature": signatures.join(",") } };
      },
    },
    {
      ...{ kind: "sns", inputs: { topic_arn: topicArn }, title: "checkout-5xx" },
      post: (announced, _, sentAt) => snsMessage(amazon, announced, sentAt),
    },
    {
      ...{ kind: "sentry", inputs: entered, title: "CheckoutError: no rate for DE" },
      post(announced, secret) {
        const body = JSON.stringify(sentryHook(announced));
        return { body, headers: { ...json, "sentry-hook-signature": hex("sha256", secret, body) } };
      },
    },
    {
      ...{ kind: "vercel", inputs: entered },
      title: "Deployment of storefront to production failed",
      post(announced, secret) {
        const body = JSON.stringify(vercelEvent(announced));
        return { body, headers: { ...json, "x-vercel-signature": hex("sha1", secret, body) } };
      },
    },
    {
      ...{ kind: "webhook", inputs: {}, title: "Checkout fails" },
      post({ key, state, at }, secret, sentAt) {
        const about = { key, status: state, at, service: "checkout" };
        const body = JSON.stringify({ title: "Checkout fails", text: "TypeError: rate is undefined", ...about });
        const id = randomUUID();
        const signed = { "webhook-id": id, "webhook-timestamp": String(secondsOf(sentAt)) };
        const signature = new Webhook(secret).sign(id, sentAt, body);
        return { body, headers: { ...json, ...signed, "webhook-signature": signature } };
      },
    },
  ];
}

function groupOf(group: typeof alertmanagerGroup | typeof grafanaGroup, { key, state, at }: Announced): object {
  const endsAt = state === "firing" ? "0001-01-01T00:00:00Z" : new Date().toISOString();
  const alerts = group.alerts
    .slice(0, 1)
    .map((alert) => ({ ...alert, status: state, startsAt: at.toISOString(), endsAt, fingerprint: key }));
  return { ...group, status: state, alerts };
}

const datadogPage = readFileSync(new URL("../../../../../docs/triggers/datadog.md", import.meta.url), "utf8");
const datadogTemplate = /```json\n(\s*\{\s*"id"[\s\S]*?)```/.exec(datadogPage)?.[1] ?? "";

/** The payload that our page has people enter, with values for https://docs.datadoghq.com/integrations/webhooks/ */
function datadogBody({ key, state, at }: Announced): string {
  const variables: Readonly<Record<string, string>> = {
    ...{ ID: randomUUID(), ALERT_ID: "98765", ALERT_CYCLE_KEY: key, ALERT_PRIORITY: "P2", ALERT_TYPE: "error" },
    ALERT_TRANSITION: state === "firing" ? "Triggered" : "Recovered",
    EVENT_TITLE: "[P2] [Triggered on {service:checkout}] Too many errors",
    TEXT_ONLY_MSG: "TypeError: Cannot read properties of undefined (reading 'rate')",
    ...{ ALERT_QUERY: "sum(last_5m):sum:errors{*} by {service} > 5", ALERT_SCOPE: "service:checkout" },
    ...{ HOSTNAME: "web-1", TAGS: "monitor, env:production", LINK: "https://app.datadoghq.com/event/event?id=1" },
    DATE: String(at.getTime()),
  };
  return datadogTemplate.replaceAll(/\$([A-Z_]+)/g, (variable, name: string) =>
    JSON.stringify(variables[name] ?? variable).slice(1, -1),
  );
}

/** https://developer.pagerduty.com/docs/webhooks-overview#webhook-payload */
function pagerDutyEvent({ key, state, at }: Announced): object {
  const incident = {
    ...{ id: key, type: "incident", number: 2, created_at: at.toISOString(), title: "Checkout fails" },
    ...{ html_url: `https://acme.pagerduty.com/incidents/${key}`, urgency: "high" },
    service: { id: "PF9KMXH", summary: "checkout", type: "service_reference" },
  };
  const event_type = state === "firing" ? "incident.triggered" : "incident.resolved";
  return { event: { id: randomUUID(), event_type, occurred_at: new Date().toISOString(), data: incident } };
}

/** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
function snsMessage(amazon: Amazon, { key, state, at }: Announced, sentAt: Date): Posted {
  const changed = { StateChangeTime: at.toISOString(), NewStateValue: state === "firing" ? "ALARM" : "OK" };
  const message = {
    ...notification,
    Message: JSON.stringify({ ...alarm, ...changed, AlarmArn: `${alarm.AlarmArn}-${key}` }),
    ...{ MessageId: randomUUID(), Timestamp: sentAt.toISOString() },
  };
  const names = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const;
  const Signature = amazon.sign(names.map((name) => `${name}\n${message[name]}\n`).join(""));
  return { body: JSON.stringify({ ...message, Signature }), headers: { "content-type": "text/plain; charset=UTF-8" } };
}

function sentryHook({ key, state, at }: Announced): object {
  const id = String(Number.parseInt(key, 36));
  const seen = { firstSeen: at.toISOString(), lastSeen: new Date().toISOString() };
  return issueHook(state === "firing" ? "created" : "resolved", "error", { id, ...seen });
}

/** https://vercel.com/docs/webhooks/webhooks-api#deployment.error */
function vercelEvent({ key, at }: Announced): object {
  const deployment = { id: `dpl_${key}`, name: "storefront", url: "storefront-7ew1.vercel.app", meta: {} };
  const links = { deployment: `https://vercel.com/acme/storefront/${key}` };
  const payload = { team: { id: "team_1" }, user: { id: "user_1" }, deployment, links, target: "production" };
  return { id: `uev_${key}`, type: "deployment.error", createdAt: at.getTime(), region: "sfo1", payload };
}
