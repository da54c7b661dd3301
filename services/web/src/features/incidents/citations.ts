/** A piece of prose: text, or the id of the evidence that it cites there. */
export type ProsePiece = { readonly text: string } | { readonly cites: string };

const citation = /\[(e\d{1,6}(?:, ?e\d{1,6})*)\]/g;

/** Prose in pieces: `It broke [e1, e2].` is text, two citations, text. */
export function splitCitations(prose: string): ProsePiece[] {
  const pieces: ProsePiece[] = [];
  let at = 0;
  for (const match of prose.matchAll(citation)) {
    if (match.index > at) pieces.push({ text: prose.slice(at, match.index) });
    for (const id of (match[1] ?? "").split(/, ?/)) pieces.push({ cites: id });
    at = match.index + match[0].length;
  }
  if (at < prose.length) pieces.push({ text: prose.slice(at) });
  return pieces;
}
