/** A line and a column as an error printed them. */
interface PrintedPlace {
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * Returns the place without numbers that can't be a line or column: 0, which compilers print for generated code,
 * fractions, and numbers too large to count exactly. A column without a line is dropped.
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
