import { type Span, spansOf } from "./span.ts";

/** A run of the characters of base64, base64url, and base62. */
const run = /(?<![\w+/-])[\w+/-]{20,4096}={0,2}(?![\w+/-])/g;
/** The digest of a file: `sha512-…`, `sha256:…`. */
const digestBefore = /sha(?:1|256|384|512)[-:=]$/i;
const digest = /^sha(?:1|256|384|512)[-:]/i;

/** The least share of neighbors of different classes, of uppercase, lowercase, and digits. Random text has 0.62. */
const changesMin = 0.42;
/** Words, paths, and identifiers have fewer capitals than random text of 20 characters, or no digit. */
const ofCaseMin = 4;
const digitsMin = 1;

/**
 * Returns the strings that look random: of 20 or more characters that mix uppercase, lowercase, and digits as chance
 * does. Hexadecimal text is left, since commits, traces, and files are named so; so are digests in base64.
 */
export function randomStrings(text: string): Span[] {
  return spansOf(text, "secret", run, (found, start) => {
    if (digest.test(found) || digestBefore.test(text.slice(Math.max(0, start - 8), start))) return false;
    return looksRandom(found);
  });
}

function looksRandom(text: string): boolean {
  const counts = { upper: 0, lower: 0, digit: 0, other: 0 };
  let changes = 0;
  let neighbors = 0;
  let before: keyof typeof counts = "other";
  for (const character of text) {
    const now = classOf(character);
    counts[now] += 1;
    if (before !== "other" && now !== "other") neighbors += 1;
    if (before !== "other" && now !== "other" && before !== now) changes += 1;
    before = now;
  }
  if (Math.min(counts.upper, counts.lower) < ofCaseMin || counts.digit < digitsMin) return false;
  return counts.upper + counts.lower + counts.digit >= 16 && changes / neighbors >= changesMin;
}

function classOf(character: string): "upper" | "lower" | "digit" | "other" {
  if (character >= "a" && character <= "z") return "lower";
  if (character >= "A" && character <= "Z") return "upper";
  return character >= "0" && character <= "9" ? "digit" : "other";
}
