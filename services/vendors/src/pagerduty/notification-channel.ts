import type { Notification, PagerDutyRegion, Severity } from "@whence/protocol";
import { type Brief, briefOf } from "../notifications/brief.ts";
import type { Channel } from "../notifications/channel.ts";
import { type VendorChannelOptions, vendorChannel } from "../notifications/vendor-channel.ts";

export interface PagerDutyChannelOptions extends VendorChannelOptions {
  readonly addresses?: Readonly<Record<PagerDutyRegion, string>>;
}

/** https://support.pagerduty.com/main/docs/service-regions */
const eventsAddresses: Readonly<Record<PagerDutyRegion, string>> = {
  us: "https://events.pagerduty.com/v2/enqueue",
  eu: "https://events.eu.pagerduty.com/v2/enqueue",
};

/** `summary` has room for 1,024 characters. */
const textLengthMax = 1_000;

const severities: Readonly<Record<Severity, string>> = {
  critical: "critical",
  high: "error",
  medium: "warning",
  low: "info",
};

/**
 * A {@link Channel} by PagerDuty's Events API v2 (https://developer.pagerduty.com/docs/send-alert-event). All messages
 * about one incident share a `dedup_key`, so they are one alert as long as it is open.
 */
export function pagerDutyChannel({ addresses = eventsAddresses, ...options }: PagerDutyChannelOptions): Channel {
  return vendorChannel(options, {
    label: "PagerDuty",
    credential: "integration key of PagerDuty",
    request: (message, { pagerduty: region }, routingKey) =>
      region && { url: addresses[region], body: { routing_key: routingKey, ...pagerDutyEvent(message) } },
  });
}

/** Returns the event of a message, without its routing key. One that resolves an alert needs only its key. */
function pagerDutyEvent(message: Notification): object {
  const brief = briefOf(message, textLengthMax);
  const { incident } = message;
  const key = { dedup_key: incident?.id ?? message.id };
  if (message.type === "resolved") return { event_action: "resolve", ...key };
  const first = message.held_back?.first[0];
  return {
    event_action: "trigger",
    ...key,
    client: "Whence",
    client_url: brief.link.url,
    payload: {
      summary: brief.headline,
      timestamp: incident?.since ?? message.created_at,
      severity: severities[incident?.severity ?? first?.severity ?? "low"],
      source: incident?.service ?? "Whence",
      ...(incident?.service ? { component: incident.service } : {}),
      ...(incident?.env ? { group: incident.env } : {}),
      ...(incident?.root_cause ? { class: incident.root_cause.category } : {}),
      custom_details: { ...detailsOf(brief), message_id: message.id },
    },
    links: [brief.link, ...brief.listed].map(({ text, url }) => ({ href: url, text })),
  };
}

function detailsOf({ paragraphs, facts }: Brief): Readonly<Record<string, string>> {
  const labelled = paragraphs.flatMap(({ label, text }) => (label === null ? [] : [[label, text] as const]));
  const notes = paragraphs.filter(({ label }) => label === null).map(({ text }) => text);
  return Object.fromEntries([
    ...labelled,
    ...(notes.length > 0 ? [["Note", notes.join(" ")]] : []),
    ["Facts", facts.join(" · ")],
  ]);
}
