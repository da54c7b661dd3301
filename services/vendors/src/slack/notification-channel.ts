import type { Notification } from "@whence/protocol";
import { type Brief, briefOf } from "../notifications/brief.ts";
import type { Channel } from "../notifications/channel.ts";
import { type VendorChannelOptions, vendorChannel } from "../notifications/vendor-channel.ts";
import { type Block, blockKitLimits, context, escaped, header, linked, section } from "./block-kit.ts";

/** An escaped character takes up to five characters, and a label precedes the text. */
const textLengthMax = 550;

/**
 * A {@link Channel} by a Slack incoming webhook
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). Its URL is the credential. Such a
 * message can't be updated later, or recognized when it is sent twice.
 */
export function slackChannel(options: VendorChannelOptions): Channel {
  return vendorChannel(options, {
    label: "Slack",
    credential: "webhook URL of Slack",
    request: (message, _rule, url) => ({ url, body: slackMessage(message) }),
  });
}

/** Renders the message as blocks, and as the text of a push notification. */
function slackMessage(message: Notification): { readonly text: string; readonly blocks: readonly Block[] } {
  const brief = briefOf(message, textLengthMax);
  const heading = { ...header(brief.headline), block_id: message.id };
  const sections = sectionsOf(brief, heading.text.text).map(section);
  const facts = context(brief.facts.map((fact) => escaped(fact)).join(" · "));
  return { text: escaped(brief.headline), blocks: [heading, ...sections, facts].slice(0, blockKitLimits.blocksMax) };
}

function sectionsOf({ headline, paragraphs, listed, link }: Brief, heading: string): string[] {
  return [
    ...(heading === escaped(headline) ? [] : [escaped(headline)]),
    ...paragraphs.map(({ label, text }) => (label === null ? escaped(text) : `*${label}:* ${escaped(text)}`)),
    ...listed.map(({ text, url }) => linked(url, text)),
    `*${linked(link.url, link.text)}*`,
  ];
}
