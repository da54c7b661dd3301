/** A noncharacter, which Unicode leaves to programs for their own use (https://www.unicode.org/faq/private_use.html). */
const marker = "\uFDD0";
const escaped = { "\0": `${marker}0`, [marker]: `${marker}1` } as const;

/**
 * Text as PostgreSQL can keep it: it takes every character but NUL
 * (https://www.postgresql.org/docs/current/datatype-character.html), and pasted logs and files do hold it. Different
 * texts stay different, and equal ones equal.
 */
export function toPostgresText(text: string): string {
  if (!text.includes("\0") && !text.includes(marker)) return text;
  return text.replaceAll(marker, escaped[marker]).replaceAll("\0", escaped["\0"]);
}

/** The text that {@link toPostgresText} was given. */
export function fromPostgresText(text: string): string {
  if (!text.includes(marker)) return text;
  return text.replaceAll(escaped["\0"], "\0").replaceAll(escaped[marker], marker);
}
