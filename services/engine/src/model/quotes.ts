/** A shorter quote is found anywhere. */
const quoteUnitsMin = 4;

/** Returns a text with single spaces, in which quotes are looked up. */
export function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns a quote as {@link flat} text; null for one that is too short to show where it is from. */
export function tellingQuote(excerpt: string): string | null {
  const wanted = flat(excerpt);
  return wanted.replace(/[^\p{L}\p{N}]/gu, "").length < quoteUnitsMin ? null : wanted;
}
