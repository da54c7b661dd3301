import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { AnnouncedAlert } from "../alert-senders/announcement.ts";
import { hashOfBody } from "../alert-senders/delivery-id.ts";
import { madeSecret } from "../alert-senders/inputs.ts";
import { hasBearerToken } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { identifier } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";

/** What Datadog inserts for a variable that an event lacks. */
const filled = z
  .string()
  .transform((text) => (text === "null" || /^\$[A-Z_]+$/.test(text) ? "" : text))
  .default("");

/** The latest time of a `Date`. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const millisecondsMax = 8_640_000_000_000_000;

/** The payload of docs/triggers/datadog.md, with the variables of https://docs.datadoghq.com/integrations/webhooks/ */
const eventSchema = z.object({
  id: filled,
  alert_id: filled,
  alert_cycle_key: filled,
  alert_transition: filled,
  alert_title: z.string(),
  text_only_msg: filled,
  alert_priority: filled,
  alert_type: filled,
  alert_query: filled,
  alert_scope: filled,
  hostname: filled,
  tags: filled,
  link: filled,
  date: z.coerce
    .number()
    .int()
    .min(0)
    .max(millisecondsMax)
    .transform((milliseconds) => new Date(milliseconds).toISOString()),
});
type DatadogEvent = z.infer<typeof eventSchema>;

/** By `$ALERT_TRANSITION`. */
const states = new Map<string, AnnouncedAlert["state"]>([
  ...["Triggered", "Re-Triggered", "No Data", "Re-No Data", "Warn", "Re-Warn", "Renotify"].map(
    (transition) => [transition, "firing"] as const,
  ),
  ["Recovered", "resolved"],
]);
/** `[P1] [Triggered on {host:web-1}] Too many errors`. */
const titlePrefix = /^(?:\[P[1-5]\] ?)?(?:\[(?:Re-)?(?:Triggered|No Data|Warn|Recovered|Renotify)[^\]]{0,300}\] ?)?/;

/** Datadog's webhooks, with the documented payload. They aren't signed: the bearer token is the proof. */
export const datadog: AlertSender = {
  kind: "datadog",
  label: "Datadog",
  inputs: [madeSecret("Bearer token")],
  setup: () =>
    numbered(
      "Under **Integrations → Webhooks**, add a webhook with this address and the payload from the instructions.",
      'Set its custom headers to `{"Authorization": "Bearer …"}` with the bearer token.',
      "Add `@webhook-` and the webhook's name to the message of each monitor.",
    ),
  verify: hasBearerToken,
  deliveryId: hashOfBody,
  read(body) {
    const event = eventSchema.parse(body);
    const state = states.get(event.alert_transition);
    return state === undefined ? [] : [{ kind: "alert", alert: toAlert(event, state) }];
  },
};

function toAlert(event: DatadogEvent, state: AnnouncedAlert["state"]): AnnouncedAlert {
  const title = event.alert_title.replace(titlePrefix, "");
  const tags = tagsOf(`${event.tags},${event.alert_scope}`);
  return {
    key: keyOf(event),
    state,
    title: titleFrom(title, `Monitor ${event.alert_id}`),
    text: textFrom(
      `[${event.alert_transition}] ${title}`,
      event.text_only_msg,
      ...[...tags].map(([name, value]) => `- ${name} = ${value}`),
      event.hostname && `- host = ${event.hostname}`,
      event.alert_query && `- query = ${event.alert_query}`,
      event.alert_scope && `- scope = ${event.alert_scope}`,
      `timestamp: ${event.date}`,
    ),
    service: nameFrom(tags.get("service")),
    env: nameFrom(tags.get("env") ?? tags.get("environment")),
    severity: severityFrom(event.alert_priority, event.alert_type),
    at: event.date,
    url: linkFrom(event.link),
  };
}

/** The cycle is one failure, from its trigger to its recovery; an event outside a cycle is a failure of its own. */
function keyOf({ alert_cycle_key: cycle, alert_id: monitor, id }: DatadogEvent): string {
  return identifier.parse(cycle || `${monitor} ${id}`.trim());
}

function tagsOf(text: string): Map<string, string> {
  const pairs = text.split(",").map((tag) => /^\s*([^:\s]+):(.+)$/.exec(tag));
  return new Map(pairs.flatMap((pair) => (pair ? [[pair[1] ?? "", (pair[2] ?? "").trim()] as const] : [])));
}
