import type { Span } from "../source/source-text.ts";

/** Several words in quotes, after which the sentence goes on with another word. */
const quotedText = /(?<!\w)(["'`])(?=[^"'`\n]*[^"'`\s]\s)([^"'`\n]+)\1(?=[ ,]+[A-Za-z])/g;

/**
 * What a message is about and doesn't say itself, such as a user's words in `comment "connect ECONNREFUSED" is too
 * long`. A quote that ends a sentence is an error passed on, and a single word a name or a code: neither is among them.
 */
export function quotedTexts(text: string): readonly Span[] {
  return Array.from(text.matchAll(quotedText), ({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
  }));
}

/** The text without what its sentences are about, each place kept. */
export function withoutQuotedTexts(text: string): string {
  return text.replace(quotedText, (quoted) => " ".repeat(quoted.length));
}
