/** What a confidence rests on, in two parts: its first sentence, and what explains it further. */
export function confidenceBasis(basis: string): { readonly first: string; readonly rest: string } {
  const end = basis.indexOf(". ") + 1;
  return end > 0 ? { first: basis.slice(0, end), rest: basis.slice(end).trimStart() } : { first: basis, rest: basis };
}
