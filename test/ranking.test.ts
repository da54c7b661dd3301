import { beforeAll, describe, expect, it } from "vitest";
import { codeForms, type Form } from "../bench/rca/forms.ts";
import { loweredByFiles } from "../bench/rca/more-files.ts";
import type { Row } from "../bench/rca/score.ts";
import { type Scored, scoreCases } from "../bench/rca/score-cases.ts";
import { chanceOfLosing } from "../bench/rca/sign-test.ts";
import { type Stratum, strataOf } from "../bench/rca/strata.ts";
import { sampleCases } from "./ranking-sample.ts";

const baselines = ["top frame", "innermost of the project", "first own frame", "stack and imports"] as const;
const measures = ["file1", "file3", "function1"] as const;
/** A baseline that is ahead by less than this probable by chance isn't known to be better. */
const chanceMin = 0.05;
/** A busy machine takes long to fetch packages and to investigate some hundred cases. */
const preparedWithinMs = 600_000;

let scored: Scored[];
let strata: Stratum[];

beforeAll(async () => {
  scored = await scoreCases(await sampleCases());
  strata = strataOf(scored);
}, preparedWithinMs);

/** Says by which baselines, and in what, the engine is beaten by more than chance explains. */
function defeats(form: Form): string[] {
  return strata
    .filter((stratum) => stratum.form === form)
    .flatMap(({ language, name, members }) =>
      defeatsIn(members).map((defeat) => `${language}, ${name}, ${members.length} cases: ${defeat}`),
    );
}

function defeatsIn(members: readonly Scored[]): string[] {
  const isAhead = (one: Row, other: Row, measure: (typeof measures)[number]): boolean =>
    one[measure] === true && other[measure] !== true;
  return baselines.flatMap((baseline) =>
    measures.flatMap((measure) => {
      const lost = members.filter((one) => isAhead(one.baselines[baseline], one.engine, measure)).length;
      const won = members.filter((one) => isAhead(one.engine, one.baselines[baseline], measure)).length;
      if (lost <= won || chanceOfLosing(lost, won) >= chanceMin) return [];
      return [`${measure}: ${lost} lost to the ${baseline}, ${won} won`];
    }),
  );
}

describe("on a seeded sample of failures, each ranked by a model that its group didn't train, the engine", () => {
  it.each(codeForms)("is beaten by no baseline in any language and stratum: %s", (form) => {
    expect(defeats(form)).toEqual([]);
  });

  it("loses nothing by more files, in any language and stratum", () => {
    expect(loweredByFiles(scored)).toEqual([]);
  });

  it("is asked in every language, and in every form", () => {
    expect([...new Set(strata.map(({ language }) => language))]).toEqual([
      ...["go", "java", "javascript", "python", "ruby", "typescript"],
    ]);
    expect([...new Set(strata.map(({ form }) => form))]).toEqual([...codeForms]);
  });
});

describe("what more files lower", () => {
  const answered = (form: Form, right: number): Scored[] =>
    scored
      .filter(({ rca }) => rca.form === form)
      .map((one, index) => ({ ...one, engine: { ...one.engine, file1: index < right, file3: true, function1: null } }));

  it("is named with what was lost and won, in the forms between which it is lower", () => {
    const all = answered("text", 0).length;
    const lower = loweredByFiles([...answered("stack", all), ...answered("tree", 0)]);
    expect(lower.some((row) => /^javascript, all, from stack to tree: file1: \d+ lost, 0 won, of \d+$/.test(row))).toBe(
      true,
    );
  });

  it("is nothing where more files win, or chance explains the loss", () => {
    const all = answered("text", 0).length;
    expect(loweredByFiles([...answered("stack", 0), ...answered("tree", all)])).toEqual([]);
    expect(loweredByFiles([...answered("stack", 4), ...answered("tree", 0)])).toEqual([]);
  });
});

describe("the chance of losing", () => {
  it("is one when nothing was lost", () => {
    expect(chanceOfLosing(0, 3)).toBe(1);
  });

  it("halves with each lost case", () => {
    expect(chanceOfLosing(5, 0)).toBe(1 / 32);
  });

  it("counts every outcome that is at least as bad", () => {
    expect(chanceOfLosing(2, 1)).toBe(0.5);
  });
});
