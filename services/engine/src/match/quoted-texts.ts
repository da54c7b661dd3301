import type { Span } from "../source/source-text.ts";

/** Several quoted words, after which the sentence continues. */
const quotedText = /(?<!\w)(["'`])(?=[^"'`\n]*[^"'`\s]\s)([^"'`\n]+)\1(?=[ ,]+[A-Za-z])/g;

/**
 * Returns the quoted parts of a message that it is about rather than says, such as a user's words in `comment "connect
 * ECONNREFUSED" is too long`. A quote that ends a sentence is a passed-on error, and a single word is a name or a code;
 * neither is included.
 */
export function quotedTexts(text: string): readonly Span[] {
  return Array.from(text.matchAll(quotedText), ({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
  }));
}

/** Returns the text with its quoted parts blanked out, so that positions stay the same. */
export function withoutQuotedTexts(text: string): string {
  return text.replace(quotedText, (quoted) => " ".repeat(quoted.length));
}
