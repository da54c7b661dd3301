/** Shorter strings can't keep a parent alive for long enough to matter, and a copy of them costs more than it frees. */
const detachFromLength = 1_024;

/** `text` in at most `maximum` characters; what was cut off is counted at the end of it. */
export function trimText(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const marker = `… [trimmed ${text.length - maximum} characters]`;
  const kept = text.slice(0, Math.max(0, maximum - marker.length));
  return detach(`${kept}… [trimmed ${text.length - kept.length} characters]`);
}

/** A copy that doesn't keep the string alive that it was cut from (V8's slices point into their parent). */
export function detach(text: string): string {
  return text.length < detachFromLength ? text : Buffer.from(text, "utf16le").toString("utf16le");
}
