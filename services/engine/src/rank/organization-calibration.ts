import type { BandHistory, OrganizationHistory } from "../findings/organization-history.ts";
import { nonDecreasing } from "./isotonic.ts";
import { scoreMax, scoreMin } from "./score-bounds.ts";

/**
 * How many verdicts the model's own number counts as in a band: after 20 verdicts of the organization, each side counts
 * half. A Beta distribution of that strength around 0.7 has a standard deviation of 0.1, which is about how much
 * organizations differ in how often the model is right.
 */
const priorVerdicts = 20;
/** Maximum change of a confidence by history. */
const shiftMax = 0.2;

/**
 * Returns the confidence corrected by the organization's own history, not rounded. In each band the model's number is
 * the mean of a Beta prior, to which the history's confirmations and refutations are added; bands whose order that
 * would reverse get their common mean; values in between are interpolated. So the result is monotone in the model's
 * score and in every verdict, changes by {@link shiftMax} at most, and equals the score without history. Method and
 * sources: docs/how-it-reasons.md.
 */
export function calibrated(score: number, history: OrganizationHistory): number {
  if (history.every(({ weight }) => weight === 0)) return score;
  const means = history.map((band) => {
    const weight = priorVerdicts + band.weight;
    return { weight, value: (priorVerdicts * middleOf(band) + band.confirmedWeight) / weight };
  });
  const corrected = nonDecreasing(means).map((y, index) => ({ x: middleOf(history[index]), y }));
  const wanted = interpolate([{ x: 0, y: 0 }, ...corrected, { x: 1, y: 1 }], score);
  const moved = Math.min(score + shiftMax, Math.max(score - shiftMax, wanted));
  return Math.min(scoreMax, Math.max(scoreMin, moved));
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function interpolate(points: readonly Point[], x: number): number {
  const next = points.findIndex((point) => point.x >= x);
  const [left, right] = [points[next - 1], points[next]];
  if (!right) return x;
  if (!left) return right.y;
  return left.y + ((x - left.x) * (right.y - left.y)) / (right.x - left.x);
}

function middleOf(band: Pick<BandHistory, "from" | "to"> | undefined): number {
  return band ? (band.from + band.to) / 2 : 0;
}
