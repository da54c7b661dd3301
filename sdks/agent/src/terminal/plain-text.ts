/** What colors text: a program that colors its log leaves it in each line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with an escape character.
const coloring = /\u001b\[[\d;]*m/g;

/**
 * Makes text from outside safe for a terminal: removes characters that move its cursor, change its colors, or change
 * the reading direction (CWE-150; Trojan Source, CVE-2021-42574).
 */
export function plainText(text: string): string {
  return text
    .replace(coloring, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "    ")
    .replace(/[^\n\P{Cc}]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "�");
}

/** Formats JSON whose strings contain no character that a terminal acts on. */
export function plainJson(value: unknown): string {
  const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    asEscape,
  );
}
