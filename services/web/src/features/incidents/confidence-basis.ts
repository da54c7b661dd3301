/** Splits the basis of a confidence into its first sentence and the rest. */
export function confidenceBasis(basis: string): { readonly first: string; readonly rest: string } {
  const end = basis.indexOf(". ") + 1;
  return end > 0 ? { first: basis.slice(0, end), rest: basis.slice(end).trimStart() } : { first: basis, rest: basis };
}
