/** V8 copies shorter ones when it slices. */
const sliceLengthMin = 13;

/** `text` in at most `maximum` characters; what was cut off is counted at the end of it. */
export function trimText(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const marker = `… [trimmed ${text.length - maximum} characters]`;
  const kept = text.slice(0, Math.max(0, maximum - marker.length));
  return detach(`${kept}… [trimmed ${text.length - kept.length} characters]`);
}

const startOfStyle = "\u001B";
const colours = new RegExp(`${startOfStyle}\\[[0-9;]*[A-Za-z]`, "g");

/** What a terminal would show of a text, without colours and other styles. */
export function withoutColours(text: string): string {
  return text.includes(startOfStyle) ? text.replace(colours, "") : text;
}

/**
 * A copy that doesn't keep the string alive that it was cut from: V8's slices point into their parent, however large
 * that is. Concatenating and slicing forces a copy, five times faster than through a Buffer.
 */
export function detach(text: string): string {
  return text.length < sliceLengthMin ? text : ` ${text}`.slice(1);
}
