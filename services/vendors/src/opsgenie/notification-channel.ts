import type { Notification, NotificationRule, OpsgenieSite, Severity } from "@whence/protocol";
import { type Brief, briefOf } from "../notifications/brief.ts";
import type { Channel } from "../notifications/channel.ts";
import { type VendorChannelOptions, type VendorRequest, vendorChannel } from "../notifications/vendor-channel.ts";
import { oneLine } from "../text/one-line.ts";

export interface OpsgenieChannelOptions extends VendorChannelOptions {
  readonly addresses?: Readonly<Record<OpsgenieSite, string>>;
}

/**
 * Opsgenie's URLs are from https://docs.opsgenie.com/docs/alert-api, and that of Jira Service Management is from
 * https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v2/api-group-integration-events/.
 */
const alertAddresses: Readonly<Record<OpsgenieSite, string>> = {
  us: "https://api.opsgenie.com/v2/alerts",
  eu: "https://api.eu.opsgenie.com/v2/alerts",
  jsm: "https://api.atlassian.com/jsm/ops/integration/v2/alerts",
};

/** Limits of an alert's fields, in characters. */
const messageLengthMax = 130;
const descriptionLengthMax = 15_000;
const entityLengthMax = 512;
const textLengthMax = 500;

const priorities: Readonly<Record<Severity, string>> = { critical: "P1", high: "P2", medium: "P3", low: "P4" };
const testPriority = "P5";

/**
 * A {@link Channel} by Opsgenie's Alert API, which Jira Service Management's integration events mirror. All messages
 * about one incident share an `alias`, so they are one alert as long as it is open. A repeated alert keeps its first
 * text, so changes are added as a note.
 */
export function opsgenieChannel({ addresses = alertAddresses, ...options }: OpsgenieChannelOptions): Channel {
  const to = (site: OpsgenieSite, key: string, path: string, body: unknown): VendorRequest => ({
    url: `${addresses[site]}${path}`,
    headers: { authorization: `GenieKey ${key}` },
    body,
  });
  return vendorChannel(options, {
    label: "Opsgenie",
    credential: "API key of Opsgenie",
    request: (message, { opsgenie: site }, key) => {
      if (site === null) return null;
      return message.type === "resolved" && message.incident
        ? to(site, key, `/${message.incident.id}/close?identifierType=alias`, resolvedNote)
        : to(site, key, "", opsgenieAlert(message));
    },
    followUp: (message, rule, key) =>
      rule.opsgenie && message.incident && isUpdate(message, rule)
        ? to(rule.opsgenie, key, `/${message.incident.id}/notes?identifierType=alias`, noteOf(message))
        : null,
  });
}

/** The alert of a message. */
function opsgenieAlert(message: Notification): object {
  const brief = briefOf(message, textLengthMax);
  const { incident } = message;
  const first = message.held_back?.first[0];
  const severity = incident?.severity ?? first?.severity;
  return {
    message: oneLine(brief.headline, messageLengthMax),
    alias: incident?.id ?? message.id,
    description: textOf(brief),
    source: "Whence",
    priority: severity ? priorities[severity] : testPriority,
    ...(incident?.service ? { entity: oneLine(incident.service, entityLengthMax) } : {}),
    details: { url: brief.link.url, message_id: message.id, ...(incident?.env ? { environment: incident.env } : {}) },
  };
}

/** Returns whether the rule may have sent an earlier message about the incident. */
function isUpdate({ type }: Notification, { events }: NotificationRule): boolean {
  const isAfterOpening = events.includes("opened") || events.includes("returned");
  return type === "corrected" || (isAfterOpening && (type === "completed" || type === "failed"));
}

const resolvedNote = {
  source: "Whence",
  note: "The incident was resolved in Whence, or the alert that it opened for is over.",
};

function noteOf(message: Notification): object {
  return { source: "Whence", note: textOf(briefOf(message, textLengthMax)) };
}

function textOf({ headline, paragraphs, listed, facts, link }: Brief): string {
  const lines = [
    headline,
    ...paragraphs.map(({ label, text }) => (label === null ? text : `${label}: ${text}`)),
    ...listed.map(({ text, url }) => `${text}\n${url}`),
    facts.join(" · "),
    `${link.text}: ${link.url}`,
  ];
  return lines.join("\n\n").slice(0, descriptionLengthMax);
}
