import type { ParsedException } from "../findings/parsed-error.ts";

/** How many errors of one chain are kept: from its head, which is the symptom, and from its end, where it began. */
export const chainHeadMax = 20;
export const chainEndMax = 20;

/**
 * Returns an error and its chain, without the middle when the chain is too long, because each error costs time in all
 * later steps. Parent indexes are relative to the head, and a cause whose parent was left out is attached to the next
 * one above it.
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
