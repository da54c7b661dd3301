/** A piece of prose: text, the ID of the cited evidence, or a time (RFC 3339). */
export type ProsePiece = { readonly text: string } | { readonly cites: string } | { readonly at: string };

const marked = /\[(e\d{1,6}(?:, ?e\d{1,6})*)\]|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g;

/** Splits prose into pieces: `It broke [e1, e2].` is text, two citations, text. */
export function splitCitations(prose: string): ProsePiece[] {
  const pieces: ProsePiece[] = [];
  let at = 0;
  for (const match of prose.matchAll(marked)) {
    if (match.index > at) pieces.push({ text: prose.slice(at, match.index) });
    const [whole, ids] = match;
    pieces.push(...(ids === undefined ? [{ at: whole }] : ids.split(/, ?/).map((cites) => ({ cites }))));
    at = match.index + whole.length;
  }
  if (at < prose.length) pieces.push({ text: prose.slice(at) });
  return pieces;
}
