/** Events at one place, such as a route or a host. */
export interface PlaceCount {
  readonly name: string;
  readonly events: number;
}

/**
 * The places with the most events, each with its bar's length in percent of the longest, and the number of other
 * places.
 */
export interface ImpactBars {
  readonly shown: readonly (PlaceCount & { readonly percent: number })[];
  readonly more: number;
}

const rowsShown = 6;

/** Returns the bars of a table of places, the most events first; null without events. */
export function impactBars(rows: readonly PlaceCount[]): ImpactBars | null {
  const max = rows[0]?.events ?? 0;
  if (max === 0) return null;
  const shown = rows.slice(0, rowsShown).map((row) => ({ ...row, percent: (100 * row.events) / max }));
  return { shown, more: rows.length - shown.length };
}
