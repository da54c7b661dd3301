/** Control characters, and those that turn the direction of what follows: neither belongs into a line. */
const disturbing = /[\p{Cc}\u2028\u2029]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const citation = / ?\[e\d{1,6}(?:, ?e\d{1,6})*\]/g;

/**
 * Text from outside as one plain line of at most `lengthMax` characters: without citations of evidence, which lead
 * nowhere in a mail, and without anything that could begin another line or header.
 */
export function oneLine(text: string, lengthMax: number): string {
  const line = text
    // Longer by far than what is kept, so that the work is bounded as well.
    .slice(0, 4 * lengthMax)
    .replaceAll(citation, "")
    .replaceAll("`", "")
    .replaceAll(disturbing, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join("")}…` : line;
}
