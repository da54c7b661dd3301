/** A line and a column as an error printed them. */
interface PrintedPlace {
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * The place without a number that no line or column of a file has: 0, which compilers print for code that they made,
 * a fraction, or one too large to count exactly. A column without its line leads nowhere.
 */
export function withCountablePlace<Place extends PrintedPlace>(
  place: Place,
): Place & { readonly line: number | null; readonly column: number | null } {
  const line = countable(place.line);
  return { ...place, line, column: line === null ? null : countable(place.column) };
}

function countable(printed: number | null): number | null {
  return Number.isSafeInteger(printed) && printed !== null && printed > 0 ? printed : null;
}
