import { table } from "../table.ts";
import type { Baseline } from "./baselines.ts";
import type { RcaCase } from "./cases.ts";
import { type Form, forms } from "./forms.ts";
import { shareText } from "./intervals.ts";
import type { Row } from "./score.ts";
import type { Scored } from "./score-cases.ts";

/** Cases of one language in one form that have something in common. */
export interface Stratum<One extends AnsweredCase = Scored> {
  readonly language: string;
  readonly form: Form;
  readonly name: string;
  readonly members: readonly One[];
}

/** A case with what is known of its answers. */
interface AnsweredCase {
  readonly rca: RcaCase;
}

/** What the cases of a stratum have in common, beside their language and their form. */
const kinds: readonly (readonly [name: string, holds: (rca: RcaCase) => boolean])[] = [
  ["all", () => true],
  ["on the stack", ({ onStack }) => onStack],
  ["off the stack", ({ onStack }) => !onStack],
  ["packages", ({ kind }) => kind === "package"],
  ["packages, on the stack", ({ kind, onStack }) => kind === "package" && onStack],
  ["services", ({ kind }) => kind === "service"],
  ["services, on the stack", ({ kind, onStack }) => kind === "service" && onStack],
  ["another version", ({ isOtherVersion }) => isOtherVersion],
  ["rcabench", ({ corpus }) => corpus === "rcabench"],
  ["own cases", ({ corpus }) => corpus === "own"],
  ["mined", ({ corpus }) => corpus === "mined"],
  ["mutants", ({ corpus }) => corpus === "mutant"],
];

/** A share of fewer cases says nothing. */
export const casesMin = 20;

/** Language by form by what cases have in common; those without cases are left out, and those that are the whole. */
export function strataOf<One extends AnsweredCase>(scored: readonly One[]): Stratum<One>[] {
  const languages = [...Map.groupBy(scored, ({ rca }) => rca.language)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return languages.flatMap(([language, cases]) =>
    forms.flatMap((form) => {
      const whole = cases.filter(({ rca }) => rca.form === form);
      return kinds
        .map(([name, holds]) => ({ language, form, name, members: whole.filter(({ rca }) => holds(rca)) }))
        .filter(({ members }, index) => members.length > 0 && (index === 0 || members.length < whole.length));
    }),
  );
}

const shown = [
  "top frame",
  "innermost of the project",
  "first own frame",
  "stack and imports",
] as const satisfies readonly Baseline[];

/** One row a stratum: the first file, one of the first three, and the function, by each baseline and by the engine. */
export function scoreTable(scored: readonly Scored[]): string {
  const lines = strataOf(scored)
    .filter(({ members }) => members.length >= casesMin)
    .map(({ language, form, name, members }) => [
      `${language}, ${form}: ${name}`,
      String(members.length),
      ...shown.map((baseline) => shares(members.map(({ baselines }) => baselines[baseline]))),
      shares(members.map(({ engine }) => engine)),
      shareOf(members.map(({ engine }) => engine.category)),
    ]);
  return table(["file first / among three / function, %", "n", ...shown, "engine", "category"], lines);
}

function shares(rows: readonly Row[]): string {
  return [
    shareOf(rows.map(({ file1 }) => file1)),
    shareOf(rows.map(({ file3 }) => file3)),
    shareOf(rows.map(({ function1 }) => function1)),
  ].join(" / ");
}

function shareOf(values: readonly (boolean | null)[]): string {
  const known = values.filter((value) => value !== null);
  return shareText(known.filter(Boolean).length, known.length);
}
