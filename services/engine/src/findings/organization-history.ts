/** A range of confidence; `to` is excluded unless it is 1. */
export interface ConfidenceBand {
  readonly from: number;
  readonly to: number;
}

/** Five bands of equal width: narrower ones would take years to get their first verdicts. */
export const confidenceBands: readonly ConfidenceBand[] = [
  { from: 0, to: 0.2 },
  { from: 0.2, to: 0.4 },
  { from: 0.4, to: 0.6 },
  { from: 0.6, to: 0.8 },
  { from: 0.8, to: 1 },
];

/** Returns the index of the band that contains a confidence. */
export function bandIndexOf(score: number): number {
  const index = confidenceBands.findIndex(({ to }) => score < to);
  return index < 0 ? confidenceBands.length - 1 : index;
}

/** The outcomes of an organization's reports in one band of confidence. */
export interface BandHistory extends ConfidenceBand {
  /** Reports with a known outcome. */
  readonly judged: number;
  readonly confirmed: number;
  readonly partly: number;
  readonly refuted: number;
  /** How many of `judged` were judged by people or agents; the rest were judged by predictions alone. */
  readonly byPeople: number;
  /** The summed weight of the verdicts. */
  readonly weight: number;
  /** The part of `weight` that confirms the report. */
  readonly confirmedWeight: number;
}

/**
 * One entry for each of {@link confidenceBands}, in the same order. Plain data, because it's sent to the investigating
 * thread.
 */
export type OrganizationHistory = readonly BandHistory[];
