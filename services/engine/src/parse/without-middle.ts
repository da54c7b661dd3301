import type { ParsedException } from "../findings/parsed-error.ts";

/** Errors kept of one chain: from its head, which is the symptom, and from its end, where it began. */
export const chainHeadMax = 20;
export const chainEndMax = 20;

/**
 * An error with what belongs to it, without the middle when that is too much: everything after parsing costs time for
 * each. Parents are counted from the head, and a cause whose own parent is left out hangs on the next one above it.
 */
export function withoutMiddle(group: readonly ParsedException[]): ParsedException[] {
  if (group.length <= chainHeadMax + chainEndMax) return [...group];
  const indexes = [...group.keys()];
  const kept = [...indexes.slice(0, chainHeadMax), ...indexes.slice(-chainEndMax)];
  const places = new Map(kept.map((index, place) => [index, place]));
  return kept.flatMap((index) => {
    const exception = group[index];
    return exception ? { ...exception, parent: placeAbove(exception.parent, group, places) } : [];
  });
}

function placeAbove(
  parent: number | null,
  group: readonly ParsedException[],
  places: ReadonlyMap<number, number>,
): number | null {
  for (let above = parent; above !== null; above = group[above]?.parent ?? null) {
    const place = places.get(above);
    if (place !== undefined) return place;
  }
  return null;
}
