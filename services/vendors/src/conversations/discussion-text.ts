import { textFrom } from "../text/plain-text.ts";
import { markdownLines } from "./markdown-lines.ts";

/** Maximum bytes of a discussion in UTF-8. */
const discussionBytesMax = 100_000;
/** Maximum bytes of one statement, so that a long log doesn't displace all others. */
const statementBytesMax = 50_000;

const comment = /<!--[\s\S]*?-->/g;

/** Something one person said in a discussion. */
export interface Statement {
  readonly author: string;
  /** RFC 3339. */
  readonly at: string;
  /** In Markdown. */
  readonly text: string;
}

/**
 * Returns a discussion as plain text: its beginning, and the newest replies, the oldest first. It says so when
 * something was left out.
 */
export function discussionText(opening: string, replies: readonly Statement[], isWhole: boolean): string {
  const beginning = plainText(opening);
  const kept: string[] = [];
  let bytes = Buffer.byteLength(beginning);
  for (const { author, at, text } of replies.toReversed()) {
    const said = `${author} wrote at ${at}:\n${plainText(text)}`;
    bytes += Buffer.byteLength(said);
    if (bytes > discussionBytesMax) break;
    kept.unshift(said);
  }
  const isCut = !isWhole || kept.length < replies.length;
  const parts = [beginning, ...(isCut ? ["(earlier comments were left out)"] : []), ...kept];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Removes markup: code fences and HTML comments. */
function plainText(markdown: string): string {
  const lines = markdownLines(markdown.replace(comment, "")).filter(({ kind }) => kind !== "fence");
  const text = textFrom(lines.map((line) => line.text).join("\n")).trim();
  const bytes = Buffer.from(text);
  if (bytes.length <= statementBytesMax) return text;
  // Streaming leaves out a character that the limit cut in two.
  return new TextDecoder().decode(bytes.subarray(0, statementBytesMax), { stream: true });
}
