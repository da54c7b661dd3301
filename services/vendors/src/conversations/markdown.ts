import { plainCharacters, textAsMarkdown } from "./markdown-text.ts";
import type { MessageDocument, MessagePart } from "./message-document.ts";

const shortest = "`".repeat(3);

/**
 * Renders a message as Markdown of at most `lengthMax` UTF-16 units, for GitHub, GitLab, and Linear. Its texts stay
 * text: they mention no one, link nowhere, close nothing, and are no heading, image, or HTML. Parts that don't fit are
 * left out from the end, and the message says so.
 */
export function markdownOf(message: MessageDocument, lengthMax: number): string {
  const blocks = [headlineBlock(message.headline), ...message.parts.map(blockOf)].filter((block) => block !== "");
  const link = message.link === null ? "" : linkTo(message.link.text, message.link.url);
  const whole = joined([...blocks, link]);
  if (whole.length <= lengthMax) return whole;
  const note = link === "" ? "The rest doesn't fit here." : "The rest doesn't fit here; it is in the report.";
  const fitting = blocks.filter((_, index) => joined([...blocks.slice(0, index + 1), note, link]).length <= lengthMax);
  const cut = joined([...fitting, note, link]);
  return cut.length <= lengthMax ? cut : link.length <= lengthMax ? link : "";
}

function joined(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

function headlineBlock(headline: string): string {
  const text = textAsMarkdown(headline);
  return text === "" ? "" : `**${text}**`;
}

function blockOf(part: MessagePart): string {
  switch (part.kind) {
    case "paragraph":
      return labelled(part.label, textAsMarkdown(part.text));
    case "steps":
      return stepsBlock(part.label, part.steps);
    case "quote":
      return quoteBlock(part);
    case "facts":
      return part.facts
        .map(textAsMarkdown)
        .filter((fact) => fact !== "")
        .join(" · ");
  }
}

function labelled(label: string | null, text: string): string {
  return label === null || text === "" ? text : `**${textAsMarkdown(label)}:** ${text}`;
}

function stepsBlock(label: string, steps: readonly string[]): string {
  const items = steps.map(textAsMarkdown).filter((step) => step !== "");
  if (items.length === 0) return "";
  return joined([`**${textAsMarkdown(label)}:**`, items.map((item, index) => `${index + 1}. ${item}`).join("\n")]);
}

/** Formats a code block within a quote: each of its lines is marked, so that none can end it. */
function quoteBlock({ text, source, url }: Extract<MessagePart, { readonly kind: "quote" }>): string {
  if (text.trim() === "") return "";
  const quoted = plainCharacters(text).split(/\r\n?|[\n\u2028\u2029]/);
  const fence = quoted
    .flatMap((line) => line.match(/`{3,}/g) ?? [])
    .reduce((longest, run) => (run.length >= longest.length ? `${run}\`` : longest), shortest);
  const from = url === null ? textAsMarkdown(source) : linkTo(source, url);
  const lines = [fence, ...quoted, fence, ...(from === "" ? [] : ["", `— ${from}`])];
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

/** Links only to the web; any other address becomes the text alone. */
function linkTo(text: string, url: string): string {
  const shown = textAsMarkdown(text);
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return shown;
  // `new URL` leaves some characters unescaped that end a link destination in Markdown.
  const href = address.href.replaceAll(/[<>()\\`]/g, encodedCharacter);
  return `[${shown === "" ? "Open" : shown}](${href})`;
}

function encodedCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
