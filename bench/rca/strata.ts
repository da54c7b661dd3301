import { table } from "../table.ts";
import type { RcaCase } from "./cases.ts";
import { shareText } from "./intervals.ts";
import type { Row } from "./score.ts";

/** A case and how each way of answering it did. */
export interface Scored {
  readonly rca: RcaCase;
  readonly engine: Row;
  /** What the engine before this one said; null where it was not asked. */
  readonly old: Row | null;
  readonly topFrame: Row;
  readonly ownFrame: Row;
}

type Stratum = readonly [name: string, holds: (rca: RcaCase) => boolean];

const strata: readonly Stratum[] = [
  ["all", () => true],
  ["on the stack", ({ onStack }) => onStack],
  ["off the stack", ({ onStack }) => !onStack],
  ["packages", ({ kind }) => kind === "package"],
  ["services", ({ kind }) => kind === "service"],
];
const binsShown = 5;

/** By corpus and stratum: the baselines, the old engine and this one. Strata without cases are left out. */
export function scoreTable(scored: readonly Scored[]): string {
  const lines = [...Map.groupBy(scored, ({ rca }) => rca.corpus)].flatMap(([corpus, cases]) => {
    const languages = [...new Set(cases.map(({ rca }) => rca.language))].sort();
    const byLanguage =
      languages.length > 1 ? languages.map((name): Stratum => [name, ({ language }) => language === name]) : [];
    return [...strata, ...byLanguage].flatMap(([name, holds]) => {
      const members = cases.filter(({ rca }) => holds(rca));
      return members.length === 0 || (name !== "all" && members.length === cases.length)
        ? []
        : [lineOf(name === "all" ? corpus : `  ${name}`, members)];
    });
  });
  const headings = [
    "file of the cause: top 1, top 3",
    "n",
    "top frame",
    "",
    "own frame",
    "",
    "old engine",
    "",
    "engine, top 1",
    "top 3",
    "function",
    "category",
  ];
  return table(headings, lines);
}

function lineOf(name: string, scored: readonly Scored[]): string[] {
  const short = (rows: readonly (Row | null)[]): string[] => {
    const known = rows.filter((row) => row !== null);
    const percent = (right: number): string =>
      known.length === 0 ? "-" : `${((100 * right) / known.length).toFixed(0)}%`;
    return [percent(known.filter(({ file1 }) => file1).length), percent(known.filter(({ file3 }) => file3).length)];
  };
  const rows = scored.map(({ engine }) => engine);
  const share = (values: readonly (boolean | null)[]): string => {
    const known = values.filter((value) => value !== null);
    return shareText(known.filter(Boolean).length, known.length);
  };
  return [
    name,
    String(scored.length),
    ...short(scored.map(({ topFrame }) => topFrame)),
    ...short(scored.map(({ ownFrame }) => ownFrame)),
    ...short(scored.map(({ old }) => old)),
    share(rows.map(({ file1 }) => file1)),
    share(rows.map(({ file3 }) => file3)),
    share(rows.map(({ function1 }) => function1)),
    share(rows.map(({ category }) => category)),
  ];
}

/** How often reports of each band of confidence named the right file, and the mean distance of the two (ECE). */
export function reliabilityTable(scored: readonly Scored[]): string {
  const corpora = Map.groupBy(scored, ({ rca }) => rca.corpus);
  const lines = [...corpora].map(([corpus, cases]) => {
    const sure = cases.flatMap(({ engine }) =>
      engine.confidence === null ? [] : [{ said: engine.confidence, right: engine.file1 }],
    );
    const bands = Array.from({ length: binsShown }, (_, index) => {
      const inside = sure.filter(({ said }) => Math.min(binsShown - 1, Math.floor(said * binsShown)) === index);
      return inside.length === 0
        ? "-"
        : `${mean(inside.map(({ right }) => Number(right)))} of ${mean(inside.map(({ said }) => said))} (${inside.length})`;
    });
    return [corpus, String(sure.length), ...bands, expectedError(sure).toFixed(3)];
  });
  const headings = Array.from(
    { length: binsShown },
    (_, index) => `${(100 / binsShown) * index} to ${(100 / binsShown) * (index + 1)}%`,
  );
  return table(["right, of what was said", "n", ...headings, "error"], lines);
}

const errorBins = 10;

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
