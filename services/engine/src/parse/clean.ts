import { stripVTControlCharacters } from "node:util";

/** What editors, browsers, and encodings leave in copied text; control characters are searched for separately. */
const unusual = /[\u00a0\u200b-\u200d\u2018\u2019\u201c\u201d\ufeff]|&[a-z#]|\[\d{1,3}(?:;\d{1,3}){0,4}m|\^\[\[/;
const controls = ["\0", "\u001b", "\u009b"];
/** Colors whose escape character was lost or made visible. */
const lostColors = /(?:\^\[|#033|␛)?\[\d{1,3}(?:;\d{1,3}){0,4}[mK]/g;
const entity = /&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27|#x2F|#34|#47|#96);/gi;
const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
  "&nbsp;": " ",
  "&#39;": "'",
  "&#x27;": "'",
  "&#x2f;": "/",
  "&#34;": '"',
  "&#47;": "/",
  "&#96;": "`",
};
const typographic: Readonly<Record<string, string>> = { "‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " " };

/** Removes colors, NULs, byte order marks, typographic quotes, HTML escapes, and trailing space from a line. */
export function clean(raw: string): string {
  const isUnusual = unusual.test(raw) || controls.some((control) => raw.includes(control));
  return isUnusual ? cleanUnusual(raw).trimEnd() : raw.trimEnd();
}

function cleanUnusual(raw: string): string {
  const plain = stripVTControlCharacters(raw)
    .replaceAll("\0", "")
    .replace(/[\u200b-\u200d\ufeff]/g, "")
    .replace(lostColors, "");
  const quoted = plain.replace(/[‘’“”\u00a0]/g, (character) => typographic[character] ?? character);
  return quoted.includes("&")
    ? quoted.replace(entity, (escaped) => entities[escaped.toLowerCase()] ?? escaped)
    : quoted;
}
