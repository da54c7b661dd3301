import { secondMs, severities } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender, ReceivedWebhook } from "../alert-senders/alert-sender.ts";
import { idOrHash } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { madeSecret } from "../alert-senders/inputs.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { identifier, time } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { hasStandardSignature } from "./proof.ts";

/** The body of docs/triggers/webhook.md. */
const alertSchema = z.object({
  title: z.string().min(1),
  text: z.string().min(1),
  service: z.string().optional(),
  env: z.string().optional(),
  severity: z.enum(severities).optional(),
  key: identifier.optional(),
  status: z.enum(["firing", "resolved"]).default("firing"),
  url: z.string().optional(),
  at: time.optional(),
});

const timestampHeader = "webhook-timestamp";

/**
 * Any sender that signs according to Standard Webhooks 1.0 (https://www.standardwebhooks.com), with a body of our own.
 */
export const webhook: AlertSender = {
  kind: "webhook",
  label: "Standard Webhooks",
  inputs: [madeSecret("Signing secret")],
  setup: () =>
    numbered(
      "Post JSON with a `title` and a `text` to this address.",
      "Sign each request with the secret as [Standard Webhooks](https://www.standardwebhooks.com) specifies, with one of its libraries.",
    ),
  keptHeaders: [timestampHeader],
  verify: (received, { secret = "" }, { now }) => hasStandardSignature(received, secret, now),
  deliveryId: (received) => idOrHash(headerOf(received, "webhook-id"), received),
  read(body, received) {
    const { key, title, text, service, env, severity, status, url, at } = alertSchema.parse(body);
    const alert = {
      state: status,
      title: titleFrom(title),
      text: textFrom(text),
      service: nameFrom(service),
      env: nameFrom(env),
      severity: severity ?? null,
      at: at ?? timeOf(received),
      url: linkFrom(url),
    };
    const named = [alert.title, alert.service, alert.env].filter((name) => name !== null).join(" / ");
    return [{ kind: "alert", alert: { key: key ?? named, ...alert } }];
  },
};

/** Returns when the webhook was signed. */
function timeOf(received: ReceivedWebhook): string {
  const seconds = z.coerce.number().int().parse(headerOf(received, timestampHeader));
  return new Date(seconds * secondMs).toISOString();
}
