/** A range of confidence, `to` excluded but for 1. */
export interface ConfidenceBand {
  readonly from: number;
  readonly to: number;
}

/** Five of the same width: narrower ones would wait years for their first verdicts. */
export const confidenceBands: readonly ConfidenceBand[] = [
  { from: 0, to: 0.2 },
  { from: 0.2, to: 0.4 },
  { from: 0.4, to: 0.6 },
  { from: 0.6, to: 0.8 },
  { from: 0.8, to: 1 },
];

/** The index of the band that a confidence is in. */
export function bandIndexOf(score: number): number {
  const index = confidenceBands.findIndex(({ to }) => score < to);
  return index < 0 ? confidenceBands.length - 1 : index;
}
