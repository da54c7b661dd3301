import type { Notification } from "@whence/protocol";
import { type Brief, briefOf } from "../notifications/brief.ts";
import type { Channel } from "../notifications/channel.ts";
import { type VendorChannelOptions, vendorChannel } from "../notifications/vendor-channel.ts";

/** Workflows post messages of about 28 KB (https://learn.microsoft.com/connectors/teams/, known issues and limitations). */
const messageBytesMax = 28_000;
/** Tried in order, until the card is small enough. */
const textLengths = [1_000, 300, 100] as const;

/**
 * A {@link Channel} by a webhook of the Workflows app of Microsoft Teams, whose flow posts the Adaptive Card that it
 * receives (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Its
 * URL is the credential. Office 365 connectors, which took the same request, are retired.
 */
export function teamsChannel(options: VendorChannelOptions): Channel {
  return vendorChannel(options, {
    label: "Microsoft Teams",
    credential: "webhook URL of Microsoft Teams",
    request: (message, _rule, url) => ({ url, body: teamsMessage(message) }),
  });
}

/** Renders the message as an Adaptive Card of at most 28 kB. */
function teamsMessage(message: Notification): object {
  const cards = textLengths.map((lengthMax) => cardMessage(message.id, briefOf(message, lengthMax)));
  return cards.find((card) => Buffer.byteLength(JSON.stringify(card)) <= messageBytesMax) ?? cards.at(-1) ?? {};
}

/**
 * Version 1.2, which Teams shows on phones as well. Text is in runs, where Markdown isn't rendered, because titles come
 * from outside.
 */
function cardMessage(id: string, { headline, paragraphs, listed, facts, link }: Brief): object {
  const body = [
    textBlock([{ ...run(headline), weight: "Bolder", size: "Medium" }], id),
    ...paragraphs.map(({ label, text }) =>
      textBlock([...(label === null ? [] : [{ ...run(`${label}: `), weight: "Bolder" }]), run(text)]),
    ),
    ...listed.map(({ text, url }) => textBlock([{ ...run(text), selectAction: { type: "Action.OpenUrl", url } }])),
    textBlock([{ ...run(facts.join(" · ")), isSubtle: true, size: "Small" }]),
  ];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.2",
    body,
    actions: [{ type: "Action.OpenUrl", title: link.text, url: link.url }],
    msteams: { width: "Full" },
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}

function run(text: string) {
  return { type: "TextRun", text };
}

function textBlock(inlines: readonly object[], id?: string): object {
  return { type: "RichTextBlock", ...(id === undefined ? {} : { id }), inlines };
}
