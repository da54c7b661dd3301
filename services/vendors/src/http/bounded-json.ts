import { parseJson } from "@whence/protocol";

/**
 * The limits for parsing JSON from a third party. Parsing time depends on the number of values rather than on bytes: 5
 * MB of text in one string take 10 ms, and of `[` or `{}` a second or two. A thread wouldn't help, because receiving
 * its result takes the main thread as long as parsing. This many values take some 50 ms.
 */
export const jsonBounds = {
  /** Maximum nesting of arrays and objects; documented responses have a dozen. */
  depthMax: 64,
  /** Maximum values, counted by brackets and commas. A list of 20,000 paths has 140,000. */
  valuesMax: 150_000,
} as const;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns whether a text may be parsed, in one pass that ends at the first value too many. Doesn't check whether the
 * JSON is valid.
 */
export function isBoundedJson(text: string): boolean {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === closingBracket || code === closingBrace) depth -= 1;
    else if (code === comma) values += 1;
    else if (code === openingBracket || code === openingBrace) {
      depth += 1;
      values += 1;
    }
    if (depth > jsonBounds.depthMax || values > jsonBounds.valuesMax) return false;
  }
  return true;
}

/** Parses JSON within the limits; undefined for anything else, which no schema accepts. Its texts are well-formed. */
export function parseBoundedJson(text: string): unknown {
  return isBoundedJson(text) ? parseJson(wellFormedJson(text)) : undefined;
}

/**
 * Returns JSON with U+FFFD in place of each escaped surrogate without its other half, as in `"\ud83d"`, which neither a
 * URL nor a database takes.
 */
export function wellFormedJson(text: string): string {
  return text.replace(escapes, (whole, lone) => (lone ? "\\ufffd" : whole));
}

/** Every escape, so that the `\\` before a `u` is read as one; a surrogate without its other half is the group. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}
