/** Characters of a token, on average, in English text and code. */
const charactersOfToken = 4;

/**
 * Returns the tokens that a server reported, or else an estimate for so many characters of text. Never below 0: what a
 * server reports is from outside.
 */
export function countedTokens(reported: number | undefined, characters: number): number {
  const isReported = reported !== undefined && Number.isFinite(reported);
  return isReported ? Math.max(0, Math.ceil(reported)) : Math.ceil(characters / charactersOfToken);
}
