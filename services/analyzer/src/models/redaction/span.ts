/** A part of a text that doesn't go into a prompt. */
export interface Span {
  /** Its label: `email`, `GitHub token`. */
  readonly kind: string;
  /** Its place, in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returns the spans of every match of a global pattern that `accepts` takes. */
export function spansOf(
  text: string,
  kind: string,
  pattern: RegExp,
  accepts: (match: string, start: number) => boolean = () => true,
): Span[] {
  return [...text.matchAll(pattern)]
    .filter(({ 0: match, index }) => accepts(match, index))
    .map(({ 0: match, index }) => ({ kind, start: index, end: index + match.length }));
}
