/** Ranges named in one delivery account. */
export const missingRangesMax = 1_000;
/** The reason of gaps that no client reported. */
export const unaccounted = "unaccounted";

/** A range with both ends included. */
export type Range = readonly [fromSeq: number, toSeq: number];
/** A range that was reported lost, and why. */
export type Loss = readonly [fromSeq: number, toSeq: number, reason: string];

export interface MissingRange {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: string;
}

/**
 * Splits the gaps in what was received by reported reason; at most {@link missingRangesMax} ranges. Gaps are ordered
 * and disjoint, losses are ordered and don't overlap.
 */
export function missingRanges(gaps: readonly Range[], losses: readonly Loss[]): MissingRange[] {
  const missing: MissingRange[] = [];
  let next = 0;
  for (const [from, to] of gaps) {
    let seq = from;
    while (seq <= to) {
      while ((losses[next]?.[1] ?? Number.POSITIVE_INFINITY) < seq) next++;
      const [lossFrom, lossTo, reason] = losses[next] ?? [Number.POSITIVE_INFINITY, 0, unaccounted];
      const range =
        lossFrom <= seq
          ? { fromSeq: seq, toSeq: Math.min(to, lossTo), reason }
          : { fromSeq: seq, toSeq: Math.min(to, lossFrom - 1), reason: unaccounted };
      if (!append(missing, range)) return missing;
      seq = range.toSeq + 1;
    }
  }
  return missing;
}

/** Joins what continues the last range for the same reason. False when there is no room for another. */
function append(missing: MissingRange[], range: MissingRange): boolean {
  const last = missing.at(-1);
  if (last && last.toSeq + 1 === range.fromSeq && last.reason === range.reason) {
    missing.splice(-1, 1, { ...last, toSeq: range.toSeq });
    return true;
  }
  if (missing.length === missingRangesMax) return false;
  missing.push(range);
  return true;
}
