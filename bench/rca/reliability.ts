import { table } from "../table.ts";
import type { Scored } from "./score-cases.ts";
import { byCorpus } from "./strata.ts";

const binsShown = 5;
const errorBins = 10;

/**
 * Formats how often reports in each confidence band named the right file, and the mean difference between the two
 * (ECE).
 */
export function reliabilityTable(scored: readonly Scored[]): string {
  const lines = byCorpus(scored).map(([name, cases]) => {
    const sure = cases.flatMap(({ engine }) =>
      engine.confidence === null ? [] : [{ said: engine.confidence, right: engine.file1 }],
    );
    const bands = Array.from({ length: binsShown }, (_, index) => {
      const inside = sure.filter(({ said }) => Math.min(binsShown - 1, Math.floor(said * binsShown)) === index);
      return inside.length === 0
        ? "-"
        : `${mean(inside.map(({ right }) => Number(right)))} of ${mean(inside.map(({ said }) => said))} (${inside.length})`;
    });
    return [name, String(sure.length), ...bands, expectedError(sure).toFixed(3)];
  });
  const headings = Array.from(
    { length: binsShown },
    (_, index) => `${(100 / binsShown) * index} to ${(100 / binsShown) * (index + 1)}%`,
  );
  return table(["right, of what was said", "n", ...headings, "error"], lines);
}

function expectedError(sure: readonly { said: number; right: boolean }[]): number {
  let sum = 0;
  for (let bin = 0; bin < errorBins; bin++) {
    const inside = sure.filter(({ said }) => Math.min(errorBins - 1, Math.floor(said * errorBins)) === bin);
    if (inside.length === 0) continue;
    const off = inside.reduce((total, { said, right }) => total + said - Number(right), 0);
    sum += Math.abs(off) / sure.length;
  }
  return sum;
}

function mean(values: readonly number[]): string {
  return `${Math.round((100 * values.reduce((sum, value) => sum + value, 0)) / values.length)}%`;
}
