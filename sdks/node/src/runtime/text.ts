/** V8 copies shorter slices. */
const sliceLengthMin = 13;

/** Returns `text` in at most `maximum` characters; the end of a cut text states how much is missing. */
export function trimText(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const marker = `… [trimmed ${text.length - maximum} characters]`;
  const kept = text.slice(0, Math.max(0, maximum - marker.length));
  return detach(`${kept}… [trimmed ${text.length - kept.length} characters]`);
}

/**
 * Returns a copy that doesn't keep the string alive that it was cut from: V8's slices point to their parent, however
 * large it is. Concatenating and slicing forces a copy, five times faster than through a Buffer.
 */
export function detach(text: string): string {
  return text.length < sliceLengthMin ? text : ` ${text}`.slice(1);
}
