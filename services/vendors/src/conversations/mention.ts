import { markdownLines, ownWordsOf } from "./markdown-lines.ts";

const comment = /<!--[\s\S]*?-->/g;
/** The punctuation after the name: `@whence, why …`. */
const leadingPunctuation = /^[\s,:;.!–—-]+/u;

/**
 * Returns what a Markdown text asks an account: the text without quotes and without the account's name. Null when the
 * text doesn't mention the account, or only in code, a quote, or an HTML comment.
 */
export function askedOf(login: string, markdown: string): string | null {
  const lines = markdownLines(markdown).filter(({ kind }) => kind !== "quote");
  const words = ownWordsOf(lines);
  const mentions = [...words.matchAll(mentionOf(login))];
  if (mentions.length === 0) return null;
  const text = lines.map((line) => line.text).join("\n");
  let [question, written] = ["", 0];
  for (const { 0: mention, index } of mentions) {
    question += text.slice(written, index);
    written = index + mention.length;
  }
  return (question + text.slice(written)).replace(comment, "").replace(leadingPunctuation, "").trim();
}

/** Matches `@login` as a word: not within an email address or a path, nor as the start of another account's name. */
function mentionOf(login: string): RegExp {
  const name = login.replace(/[^\w-]/g, (character) => `\\${character}`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_@/.-])@${name}(?![\w-]|[./]\w)`, "giu");
}
