/**
 * Counts the words and symbols of a text, up to `max`. They, rather than its length, determine the cost of reading it:
 * a kilobyte of generated or hostile text has ten times as many as one of handwritten code.
 */
export function piecesIn(text: string, max: number): number {
  let pieces = 0;
  let isInWord = false;
  for (let at = 0; at < text.length && pieces < max; at++) {
    const code = text.charCodeAt(at);
    const isWord = isWordUnit(code);
    if (isWord ? !isInWord : code > space) pieces++;
    isInWord = isWord;
  }
  return pieces;
}

const space = 0x20;

/** Returns whether a code unit is a letter, a digit, `_`, `$`, or not ASCII. */
function isWordUnit(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a || code > 0x7f;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24;
}
