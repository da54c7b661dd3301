import { stripVTControlCharacters } from "node:util";
import { limits } from "@whence/protocol";

const titleLengthMax = 200;
const textBytesMax = 100_000;
const addressLengthMax = 2_000;
/** Line breaks and tabs stay in a text. */
const controls = /[^\P{Cc}\n\t]/gu;
/** What would break a line, or turn the direction of what follows. */
const lineBreaking = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu;

/** Names something on one line of at most 200 characters. */
export function titleFrom(...parts: readonly (string | null | undefined)[]): string {
  const [title = "Alert"] = parts.map((part) => lineFrom(part ?? "", titleLengthMax)).filter((line) => line !== "");
  return title;
}

/** A service or an environment as it was named; null for a name without a visible character. */
export function nameFrom(text: string | null | undefined): string | null {
  return lineFrom(text ?? "", limits.serviceLengthMax) || null;
}

/** Plain text of at most 100 kB in UTF-8: the paragraphs that say something, without colors and control characters. */
export function textFrom(...paragraphs: readonly (string | null | undefined)[]): string {
  const text = paragraphs
    .map((paragraph) => paragraph?.slice(0, textBytesMax).trimEnd())
    .filter(Boolean)
    .join("\n")
    .slice(0, 2 * textBytesMax);
  const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n").replaceAll(controls, "").toWellFormed();
  const bytes = Buffer.from(plain).subarray(0, textBytesMax);
  // Streaming leaves out a character that the bound cut in two.
  return new TextDecoder().decode(bytes, { stream: true });
}

/** An address that a page may link to; null for any other text. */
export function linkFrom(text: string | null | undefined): string | null {
  if (!text || text.length > addressLengthMax || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

function lineFrom(text: string, lengthMax: number): string {
  const line = stripVTControlCharacters(text.slice(0, 4 * lengthMax))
    .replaceAll(lineBreaking, " ")
    .toWellFormed()
    .trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…`.toWellFormed() : line;
}
