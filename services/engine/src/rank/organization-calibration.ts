import type { Ranking } from "../findings.ts";
import { type BandHistory, bandIndexOf, type OrganizationHistory } from "../organization-history.ts";
import { scoreMax, scoreMin } from "./confidence.ts";
import { nonDecreasing } from "./isotonic.ts";

/**
 * As many verdicts as the model's own number stands for in a band: after 20 of the organization's, each side counts
 * half. A Beta distribution of that strength around 0.7 has a standard deviation of 0.1: organizations differ about so
 * much in how often the model is right.
 */
const priorVerdicts = 20;
/** No history moves a confidence further than this. */
const shiftMax = 0.2;

type Confidence = Ranking["confidence"];

/**
 * The confidence as the organization's own history corrects it. In each band the model's number is the mean of a Beta
 * prior, and the history's confirmations and refutations are added to it; bands whose order that would turn round share
 * their mean; in between it is interpolated. So it is monotone in the model's score and in every verdict, moves by
 * {@link shiftMax} at most, and stays as it is without history. Method and sources: docs/how-it-reasons.md.
 */
export function withHistory(ranking: Ranking, history: OrganizationHistory | undefined): Ranking {
  const { confidence } = ranking;
  const band = history?.[bandIndexOf(confidence.score)];
  if (!history || !band) return ranking;
  const score = Math.round(calibrated(confidence.score, history) * 100) / 100;
  const basis = `${confidence.basis} ${saysHistory(band, confidence.score, score)}`;
  const model = score === confidence.score ? {} : { model_score: confidence.score };
  return { ...ranking, confidence: { score, basis, ...model } satisfies Confidence };
}

/** The model's score as the history corrects it, not rounded. */
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

function saysHistory(band: BandHistory, before: number, after: number): string {
  const range = `${percent(band.from)} to ${percent(band.to)} %`;
  const changed = after === before ? "" : ` History made ${after.toFixed(2)} of ${before.toFixed(2)}.`;
  if (band.judged === 0)
    return `No report of this band (${range}) has been judged in your organization: no history of yours stands behind it.${changed}`;
  const parts = band.partly > 0 ? `, ${band.partly} in part` : "";
  const by = band.byPeople < band.judged ? `, ${band.judged - band.byPeople} of them judged by predictions alone` : "";
  return `Of ${band.judged} judged reports of this band (${range}) in your organization ${band.confirmed} were confirmed${parts}${by}.${changed}`;
}

function percent(share: number): number {
  return Math.round(share * 100);
}
