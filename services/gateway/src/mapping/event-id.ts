import { hash } from "node:crypto";

/**
 * Returns a UUID that is always the same for the same text, so that a text sent again is stored once. Of version 8,
 * which is for custom ids (RFC 9562, section 5.8).
 */
export function derivedId(text: string): string {
  const digits = hash("sha256", text);
  const [first, second, third] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)];
  return `${first}-${second}-8${third}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Returns a UUID of 32 hex digits with its dashes, in lower case. Any other text stays as it is. */
export function dashed(text: string): string {
  return text
    .toLowerCase()
    .replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/, "$1-$2-$3-$4-$5");
}
