import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import { hashOfBody } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { madeSecret } from "../alert-senders/inputs.ts";
import { fromPrometheusAlert, prometheusAlertSchema } from "../alert-senders/prometheus-alert.ts";
import { isRecent, isSignedBy } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { optionalText, scalar } from "../text/fields.ts";
import { linkFrom } from "../text/plain-text.ts";

/** The name that docs/triggers/grafana.md tells people to enter, because Grafana has no default. */
const timestampHeader = "x-grafana-alerting-timestamp";
const signatureHeader = "x-grafana-alerting-signature";

/** https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/ */
const groupSchema = z.object({
  version: z.literal("1"),
  alerts: z.array(
    prometheusAlertSchema.extend({
      values: z.record(z.string(), scalar).nullish(),
      dashboardURL: optionalText,
      panelURL: optionalText,
      imageURL: optionalText,
    }),
  ),
});
type GrafanaAlert = z.infer<typeof groupSchema>["alerts"][number];

/**
 * Grafana's unified alerting. The signature is an HMAC-SHA256 of the body or, with a timestamp header, of the time in
 * seconds, a colon, and the body. A group is repeated as by Alertmanager, with the same bytes.
 */
export const grafana: AlertSender = {
  kind: "grafana",
  label: "Grafana",
  inputs: [madeSecret("HMAC secret")],
  setup: () =>
    numbered(
      "Under **Alerting → Contact points**, add a contact point with the integration **Webhook** and this address.",
      "Under **HMAC Signature**, enter the secret, and `X-Grafana-Alerting-Timestamp` as the timestamp header.",
      "Choose the contact point in your notification policies.",
    ),
  verify(webhook, { secret = "" }, { now }) {
    const given = headerOf(webhook, signatureHeader);
    const seconds = headerOf(webhook, timestampHeader);
    if (given === null || (seconds === null && webhook.headers[timestampHeader] !== undefined)) return false;
    const signed = seconds === null ? [webhook.body] : [seconds, ":", webhook.body];
    const isFresh = seconds === null || isRecent(seconds, now);
    return isFresh && isSignedBy([given], { algorithm: "sha256", key: secret, signed, encoding: "hex" });
  },
  deliveryId: hashOfBody,
  read: (body) => groupSchema.parse(body).alerts.map((alert) => ({ kind: "alert", alert: toAlert(alert) })),
};

function toAlert(alert: GrafanaAlert): ReturnType<typeof fromPrometheusAlert> & { url: string | null } {
  const { values, panelURL, dashboardURL, imageURL, generatorURL } = alert;
  const measured = Object.entries(values ?? {}).map(([name, value]) => `- value ${name} = ${String(value)}`);
  const image = linkFrom(imageURL);
  const heading = (name: string): string => `[${alert.status === "firing" ? "Alerting" : "OK"}] ${name}`;
  return {
    ...fromPrometheusAlert(alert, heading, [...measured, ...(image ? [`image: ${image}`] : [])]),
    url: linkFrom(panelURL) ?? linkFrom(dashboardURL) ?? linkFrom(generatorURL),
  };
}
