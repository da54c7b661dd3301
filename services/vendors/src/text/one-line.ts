/** Control characters, and those that change the text direction, which don't belong in a line. */
const disturbing = /[\p{Cc}\u2028\u2029]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const citation = / ?\[e\d{1,6}(?:, ?e\d{1,6})*\]/g;

/**
 * Turns text from outside into one plain line of at most `lengthMax` characters, without citations of evidence, which lead
 * nowhere in a mail, and without anything that could start another line or header.
 */
export function oneLine(text: string, lengthMax: number): string {
  const line = text
    // Far longer than what is kept, to limit the work as well.
    .slice(0, 4 * lengthMax)
    .replaceAll(citation, "")
    .replaceAll("`", "")
    .replaceAll(disturbing, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join("")}…` : line;
}
