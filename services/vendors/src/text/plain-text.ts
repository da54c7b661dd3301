import { stripVTControlCharacters } from "node:util";
import { limits } from "@whence/protocol";

const titleLengthMax = 200;
const textBytesMax = 100_000;
const addressLengthMax = 2_000;
/** Control characters except line breaks and tabs. */
const controls = /[^\P{Cc}\n\t]/gu;
/** Characters that break a line, or change the direction of the text after them. */
const lineBreaking = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu;

/** Returns a title on one line of at most 200 characters. */
export function titleFrom(...parts: readonly (string | null | undefined)[]): string {
  const [title = "Alert"] = parts.map((part) => lineFrom(part ?? "", titleLengthMax)).filter((line) => line !== "");
  return title;
}

/** Returns the name of a service or environment as given; null for a name without a visible character. */
export function nameFrom(text: string | null | undefined): string | null {
  return lineFrom(text ?? "", limits.serviceLengthMax) || null;
}

/** Returns plain text of at most 100 kB in UTF-8: the nonempty paragraphs, without colors and control characters. */
export function textFrom(...paragraphs: readonly (string | null | undefined)[]): string {
  const text = paragraphs
    .map((paragraph) => paragraph?.slice(0, textBytesMax).trimEnd())
    .filter(Boolean)
    .join("\n")
    .slice(0, 2 * textBytesMax);
  const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n").replaceAll(controls, "").toWellFormed();
  const bytes = Buffer.from(plain).subarray(0, textBytesMax);
  // Streaming leaves out a character that the limit cut in two.
  return new TextDecoder().decode(bytes, { stream: true });
}

/** Returns a URL that a page may link to; null for any other text. */
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
