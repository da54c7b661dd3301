import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { AnnouncedAlert } from "../alert-senders/announcement.ts";
import { idInBody } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { shownSecret } from "../alert-senders/inputs.ts";
import { isSignedBy } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";

/** `v1=f03de6…,v1=130dca…`: one signature for each secret during a rotation. */
const signaturesPattern = /^v\d=[^\s,]+(?:,v\d=[^\s,]+)*$/;
const version = "v1=";

/** https://developer.pagerduty.com/docs/webhooks-overview#webhook-payload */
const eventSchema = z.object({
  event: z.object({ id: identifier, event_type: z.string(), occurred_at: time, data: z.unknown() }),
});
type WebhookEvent = z.infer<typeof eventSchema>["event"];

const summarySchema = z.object({ summary: optionalText }).nullish();
const incidentSchema = z.object({
  id: identifier,
  number: z.int().nullish(),
  title: optionalText,
  status: optionalText,
  html_url: optionalText,
  created_at: time,
  service: summarySchema,
  priority: summarySchema,
  urgency: optionalText,
});
type Incident = z.infer<typeof incidentSchema>;

const states = new Map<string, AnnouncedAlert["state"]>([
  ["incident.triggered", "firing"],
  ["incident.reopened", "firing"],
  ["incident.resolved", "resolved"],
]);

const eventIdSchema = eventSchema.transform(({ event }) => event.id);

/** PagerDuty's v3 webhooks. The time isn't signed: a webhook that is sent again has the same event ID. */
export const pagerduty: AlertSender = {
  kind: "pagerduty",
  label: "PagerDuty",
  inputs: [shownSecret("Signing secret of the webhook subscription")],
  setup: () =>
    numbered(
      "Under **Integrations → Generic Webhooks (v3)**, add a webhook with this address.",
      "Subscribe it to `incident.triggered`, `incident.reopened`, and `incident.resolved`.",
      "Save the webhook. PagerDuty shows its signing secret once: enter it here.",
    ),
  verify(webhook, { secret = "" }) {
    const header = headerOf(webhook, "x-pagerduty-signature") ?? "";
    if (!signaturesPattern.test(header)) return false;
    const given = header.split(",").filter((signature) => signature.startsWith(version));
    const hashes = given.map((signature) => signature.slice(version.length));
    return isSignedBy(hashes, { algorithm: "sha256", key: secret, signed: [webhook.body], encoding: "hex" });
  },
  deliveryId: (webhook) => idInBody(webhook, eventIdSchema),
  read(body) {
    const { event } = eventSchema.parse(body);
    const state = states.get(event.event_type);
    return state === undefined
      ? []
      : [{ kind: "alert", alert: toAlert(event, incidentSchema.parse(event.data), state) }];
  },
};

function toAlert(event: WebhookEvent, incident: Incident, state: AnnouncedAlert["state"]): AnnouncedAlert {
  const { id, number, service, priority, urgency } = incident;
  // A reopened incident fails again from then on.
  const at = event.event_type === "incident.reopened" ? event.occurred_at : incident.created_at;
  const title = titleFrom(incident.title, `PagerDuty incident ${id}`);
  return {
    key: id,
    state,
    title,
    text: textFrom(
      `[#${number ?? 0}] ${title} (${state === "firing" ? "Triggered" : "Resolved"})`,
      incident.title,
      service?.summary && `- service = ${service.summary}`,
      urgency && `- urgency = ${urgency}`,
      priority?.summary && `- priority = ${priority.summary}`,
      `started: ${at}`,
    ),
    service: nameFrom(service?.summary),
    env: null,
    severity: severityFrom(priority?.summary, urgency),
    at,
    url: linkFrom(incident.html_url),
  };
}
