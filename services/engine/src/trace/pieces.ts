/**
 * How many words and signs a text has, counted no further than `max`. Reading code costs by these and not by its
 * length: a kilobyte of generated or hostile text has ten times as many as a kilobyte of handwritten code.
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

/** A letter, a digit, `_`, `$`, and whatever is no ASCII. */
function isWordUnit(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a || code > 0x7f;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24;
}
