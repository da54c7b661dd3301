/** Characters of a token, on average, in English text and code. */
const charactersOfToken = 4;

/**
 * Returns the tokens that a server reported, or else an estimate by the text's length. The server isn't trusted: 0 or
 * less counts as not reported.
 */
export function countedTokens(reported: number | undefined, characters: number): number {
  const isReported = reported !== undefined && Number.isFinite(reported) && reported > 0;
  return Math.ceil(isReported ? reported : characters / charactersOfToken);
}
