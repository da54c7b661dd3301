import { z } from "zod";
import type { AnnouncedAlert } from "../alert-senders/announcement.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";
import { printExceptions, sentryExceptionSchema } from "./printed-exception.ts";

/**
 * An event, which is the same in an issue alert and in an error's webhook:
 * https://docs.sentry.io/integrations/integration-platform/webhooks/issue-alerts/,
 * https://docs.sentry.io/integrations/integration-platform/webhooks/errors/
 */
const eventSchema = z.object({
  issue_id: identifier,
  title: z.string(),
  message: optionalText,
  datetime: time,
  level: optionalText,
  platform: optionalText,
  culprit: optionalText,
  release: optionalText,
  environment: optionalText,
  url: optionalText,
  web_url: optionalText,
  exception: z.object({ values: z.array(sentryExceptionSchema).nullish() }).nullish(),
  tags: z
    .array(z.tuple([z.string().nullable(), z.string().nullable()]))
    .nullish()
    .catch(null),
});
type SentryEvent = z.infer<typeof eventSchema>;

/** Tags that show where a failure happened; others are about users and their devices. */
const tellingTags = ["service", "server_name", "transaction", "runtime", "region"];
/** The project's slug, in `https://sentry.io/api/0/projects/acme/checkout/events/…/`. */
const projectPath = /\/projects\/[^/]+\/([^/]+)\/events\//;

/** Returns the failure of the event's issue, with its stack trace. */
export function fromSentryEvent(body: unknown): AnnouncedAlert {
  const event = eventSchema.parse(body);
  const tags = new Map(event.tags ?? []);
  const env = event.environment ?? tags.get("environment");
  return {
    key: `issue ${event.issue_id}`,
    state: "firing",
    title: titleFrom(event.title),
    text: textOf(event, env, tags),
    service: nameFrom(tags.get("service")) ?? nameFrom(projectPath.exec(event.url ?? "")?.[1]),
    env: nameFrom(env),
    severity: severityFrom(event.level),
    at: event.datetime,
    url: linkFrom(event.web_url),
  };
}

function textOf(event: SentryEvent, env: string | null | undefined, tags: Map<string | null, string | null>): string {
  const exceptions = event.exception?.values ?? [];
  const facts = [
    ["level", event.level],
    ["environment", env],
    ["release", event.release],
    ["culprit", event.culprit],
    ...tellingTags.map((name) => [name, tags.get(name)]),
  ].flatMap(([name, value]) => (value ? [`- ${name} = ${value}`] : []));
  const printed = exceptions.length > 0 ? printExceptions(exceptions, event.platform) : `[Sentry] ${event.title}`;
  const message = event.message && event.message !== event.title ? event.message : null;
  const below = [message, ...facts, `timestamp: ${event.datetime}`].filter(Boolean).join("\n");
  // Without the empty line, the facts would be parsed as the error's properties.
  return textFrom(`${printed}\n\n${below}`);
}
