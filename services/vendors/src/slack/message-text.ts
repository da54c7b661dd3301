import { z } from "zod";
import { plainFromMrkdwn, unescaped } from "./mrkdwn.ts";

/** Deeper than Slack nests the parts of a message. */
const depthMax = 12;

const recordSchema = z.record(z.string(), z.unknown());
const text = z.string().nullish().catch(null);

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments: the form of most alerts. */
const attachmentSchema = z.object({
  fallback: text,
  pretext: text,
  author_name: text,
  title: text,
  title_link: text,
  text,
  fields: z.array(z.object({ title: text, value: text })).catch([]),
  footer: text,
  blocks: z.array(z.unknown()).catch([]),
});

/** https://docs.slack.dev/messaging */
export const messageTextSchema = z.object({
  text,
  blocks: z.array(z.unknown()).catch([]),
  attachments: z.array(attachmentSchema).catch([]),
});
export type MessageText = z.infer<typeof messageTextSchema>;

/** Returns everything that a message says, as plain text: its text, blocks, and attachments, each once. */
export function textOf(message: MessageText): string {
  // People's messages are rich text, and `text` repeats it with markup.
  const isRichText = message.blocks.some((block) => recordSchema.safeParse(block).data?.type === "rich_text");
  const text = isRichText ? "" : plainFromMrkdwn(message.text ?? "");
  const blocks = message.blocks.map((block) => textIn(block));
  return onceEach([text, ...blocks, ...message.attachments.map(attachmentText)]);
}

function attachmentText({ fields, blocks, fallback, ...attachment }: MessageText["attachments"][number]): string {
  const { pretext, author_name: author, title, title_link: link, text: body, footer } = attachment;
  const facts = fields.map(({ title: name, value }) => [name, value].filter(Boolean).join(": "));
  const parts = [pretext, author, title, link, body, ...facts, footer].map((part) => plainFromMrkdwn(part ?? ""));
  const shown = onceEach([...parts, ...blocks.map((block) => textIn(block))]);
  // The fallback is only for clients that can't show the rest.
  return shown === "" ? plainFromMrkdwn(fallback ?? "") : shown;
}

/** Their elements include the spaces between them. */
const lines: ReadonlySet<string> = new Set(["rich_text_section", "rich_text_preformatted", "rich_text_quote"]);

/** Returns the text in a block, an element, or a text object. https://docs.slack.dev/reference/block-kit/blocks */
function textIn(part: unknown, depth = 1): string {
  const { data } = recordSchema.safeParse(part);
  if (!data || depth > depthMax) return "";
  if (data.type === "link") return onceEach([String(data.text ?? ""), String(data.url ?? "")]);
  if (data.type === "user" || data.type === "usergroup") return `@${String(data.user_id ?? data.usergroup_id)}`;
  if (data.type === "channel") return `#${String(data.channel_id)}`;
  if (data.type === "mrkdwn" || data.type === "markdown") return plainFromMrkdwn(String(data.text ?? ""));
  if (typeof data.text === "string") return unescaped(data.text);
  const nested = [data.title, data.text, data.fields, data.elements, data.rows].flat(2);
  const isLine = lines.has(String(data.type));
  const texts = nested.map((one) => textIn(one, depth + 1));
  return isLine ? texts.join("") : texts.filter(Boolean).join("\n");
}

/** Drops texts that an earlier text contains. */
function onceEach(texts: readonly string[]): string {
  let said = "";
  for (const one of texts.map((each) => each.trim())) {
    if (one !== "" && !said.includes(one)) said += said === "" ? one : `\n${one}`;
  }
  return said;
}
