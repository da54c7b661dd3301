import { table } from "../table.ts";
import type { RcaCase } from "./cases.ts";
import { shareText } from "./intervals.ts";
import type { Row } from "./score.ts";
import type { Scored } from "./score-cases.ts";

type Stratum = readonly [name: string, holds: (rca: RcaCase) => boolean];

/** Strata of any corpus; languages are added. */
const strata: readonly Stratum[] = [
  ["on the stack", ({ onStack }) => onStack],
  ["off the stack", ({ onStack }) => !onStack],
  ["packages", ({ kind }) => kind === "package"],
  ["services", ({ kind }) => kind === "service"],
];

/** Returns the cases of each stratum, and of each language, without empty ones. */
export function inStrata(scored: readonly Scored[]): [name: string, members: Scored[]][] {
  const languages = [...new Set(scored.map(({ rca }) => rca.language))].sort();
  const all = [...strata, ...languages.map((name): Stratum => [name, ({ language }) => language === name])];
  return all
    .map(([name, holds]): [string, Scored[]] => [name, scored.filter(({ rca }) => holds(rca))])
    .filter(([, members]) => members.length > 0);
}

/** Returns the cases of each corpus, each followed by its indented strata. */
export function byCorpus(scored: readonly Scored[]): [name: string, members: Scored[]][] {
  return [...Map.groupBy(scored, ({ rca }) => rca.corpus)].flatMap(([corpus, cases]) => {
    const parts = inStrata(cases).filter(([, members]) => members.length < cases.length);
    const named = parts.map(([name, members]): [string, Scored[]] => [`  ${name}`, members]);
    return [[corpus, cases] satisfies [string, Scored[]], ...named];
  });
}

/**
 * Formats a table by corpus and stratum: the baselines, the previous engine, and this one. Strata without cases are
 * left out.
 */
export function scoreTable(scored: readonly Scored[]): string {
  const lines = byCorpus(scored).map(([name, members]) => lineOf(name, members));
  const headings = [
    "file of the cause: top 1, top 3",
    "n",
    "top frame",
    "",
    "own frame",
    "",
    "stack and imports",
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
    ...short(scored.map(({ stackAndImports }) => stackAndImports)),
    ...short(scored.map(({ old }) => old)),
    share(rows.map(({ file1 }) => file1)),
    share(rows.map(({ file3 }) => file3)),
    share(rows.map(({ function1 }) => function1)),
    share(rows.map(({ category }) => category)),
  ];
}
