/** Ranges named in one delivery account. */
export const missingRangesMax = 1_000;
/** What is missing without a reported reason. */
export const unaccounted = "unaccounted";

/** Both ends included. */
export type Range = readonly [fromSeq: number, toSeq: number];
/** A range that was reported lost, and why. */
export type Loss = readonly [fromSeq: number, toSeq: number, reason: string];

export interface MissingRange {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: string;
}

/**
 * The gaps in what was received, cut where the reported reason changes; at most {@link missingRangesMax}. Gaps are in
 * order and apart, losses are in order and do not overlap.
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
