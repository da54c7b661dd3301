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

/** What became of an organization's reports of one band of confidence. */
export interface BandHistory extends ConfidenceBand {
  /** Reports about which anything is known. */
  readonly judged: number;
  readonly confirmed: number;
  readonly partly: number;
  readonly refuted: number;
  /** Of those judged, how many by people or agents; the rest by predictions alone. */
  readonly byPeople: number;
  /** The sum of what the judgements count. */
  readonly weight: number;
  /** The part of `weight` that confirms. */
  readonly confirmedWeight: number;
}

/** One entry for each of {@link confidenceBands}, in their order. Plain data: it goes to the thread that investigates. */
export type OrganizationHistory = readonly BandHistory[];
