import { table } from "../table.ts";
import type { Scored } from "./score-cases.ts";
import { casesMin, strataOf } from "./strata.ts";

const binsShown = 5;
const errorBins = 10;

interface Answer {
  readonly said: number;
  readonly right: boolean;
}

/**
 * How sure the engine was by language and form: how often reports of each band named the right file, the mean distance of
 * the two (ECE), and whether right answers were surer than wrong ones: both means, and how often a right one was (AUC).
 */
export function reliabilityTable(scored: readonly Scored[]): string {
  const strata = strataOf(scored).filter(({ name, members }) => name === "all" && members.length >= casesMin);
  const lines = strata.map(({ language, form, members }) => {
    const answers = members.flatMap(({ engine }) =>
      engine.confidence === null ? [] : [{ said: engine.confidence, right: engine.file1 }],
    );
    return [`${language}, ${form}`, String(answers.length), ...bandsOf(answers), ...separationOf(answers)];
  });
  const bands = Array.from(
    { length: binsShown },
    (_, index) => `${(100 / binsShown) * index} to ${(100 / binsShown) * (index + 1)}%`,
  );
  return table(["right, of what was said", "n", ...bands, "error", "when right", "when wrong", "AUC"], lines);
}

function bandsOf(answers: readonly Answer[]): string[] {
  return Array.from({ length: binsShown }, (_, index) => {
    const inside = answers.filter(({ said }) => Math.min(binsShown - 1, Math.floor(said * binsShown)) === index);
    const right = percent(inside.map((one) => Number(one.right)));
    return inside.length === 0 ? "-" : `${right} of ${percent(inside.map(({ said }) => said))} (${inside.length})`;
  });
}

function separationOf(answers: readonly Answer[]): string[] {
  const right = answers.filter((one) => one.right).map(({ said }) => said);
  const wrong = answers.filter((one) => !one.right).map(({ said }) => said);
  return [expectedError(answers).toFixed(3), percent(right), percent(wrong), surerShare(right, wrong)];
}

/** Of all pairs of a right and a wrong answer, those in which the right one was surer; equal ones count half. */
function surerShare(right: readonly number[], wrong: readonly number[]): string {
  const pairs = right.length * wrong.length;
  const points = right.flatMap((one) => wrong.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return pairs === 0 ? "-" : (points.reduce((sum: number, point) => sum + point, 0) / pairs).toFixed(2);
}

function expectedError(answers: readonly Answer[]): number {
  let sum = 0;
  for (let bin = 0; bin < errorBins; bin++) {
    const inside = answers.filter(({ said }) => Math.min(errorBins - 1, Math.floor(said * errorBins)) === bin);
    const off = inside.reduce((total, { said, right }) => total + said - Number(right), 0);
    sum += Math.abs(off) / Math.max(1, answers.length);
  }
  return sum;
}

function percent(values: readonly number[]): string {
  if (values.length === 0) return "-";
  return `${Math.round((100 * values.reduce((sum, value) => sum + value, 0)) / values.length)}%`;
}
