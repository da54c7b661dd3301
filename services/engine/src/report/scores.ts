import type { Ranking } from "../rank/candidate.ts";

/**
 * Returns the scores of the candidates, from 0 to 1, in their order. The first one's is the report's confidence, and
 * the others share what it leaves in proportion to their probabilities, so none is above it.
 */
export function scoresOf({ candidates, confidence: { score } }: Ranking): readonly number[] {
  const [first = 0, ...others] = candidates.map(({ probability }) => probability);
  const sum = others.reduce((total, one) => total + one, 0);
  const factor = sum === 0 || first === 0 ? 0 : Math.min(score / first, (1 - score) / sum);
  return [score, ...others.map((one) => Math.floor(one * factor * 100) / 100)];
}
