import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import { hashOfBody } from "../alert-senders/delivery-id.ts";
import { madeSecret } from "../alert-senders/inputs.ts";
import { fromPrometheusAlert, prometheusAlertSchema } from "../alert-senders/prometheus-alert.ts";
import { hasBearerToken } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { linkFrom } from "../text/plain-text.ts";

/** https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
const groupSchema = z.object({ version: z.literal("4"), alerts: z.array(prometheusAlertSchema) });

/**
 * Prometheus Alertmanager. It signs nothing: the bearer token is the proof. It sends a group again whenever one of its
 * alerts fires or is resolved, and otherwise every `repeat_interval`: such a repetition has the same bytes, and
 * therefore the same delivery ID. An alert that fires again after it was resolved has a new `startsAt`, and therefore a
 * new key.
 */
export const alertmanager: AlertSender = {
  kind: "alertmanager",
  label: "Prometheus Alertmanager",
  inputs: [madeSecret("Bearer token")],
  setup: () =>
    numbered(
      "In `alertmanager.yml`, add a receiver with a `webhook_configs` entry whose `url` is this address.",
      "In its `http_config`, set `authorization.credentials` to the bearer token.",
      "Route alerts to the receiver, and reload Alertmanager.",
    ),
  verify: hasBearerToken,
  deliveryId: hashOfBody,
  read: (body) =>
    groupSchema.parse(body).alerts.map((alert) => ({
      kind: "alert",
      alert: {
        ...fromPrometheusAlert(alert, (name) => `[${alert.status.toUpperCase()}:1] ${name}`),
        url: linkFrom(alert.generatorURL),
      },
    })),
};
