import { beforeAll, describe, expect, it } from "vitest";
import { codeForms, type Form } from "../bench/rca/forms.ts";
import type { Row } from "../bench/rca/score.ts";
import { type Scored, scoreCases } from "../bench/rca/score-cases.ts";
import { type Stratum, strataOf } from "../bench/rca/strata.ts";
import { sampleCases } from "./ranking-sample.ts";
import { chanceOfLosing } from "./sign-test.ts";

const baselines = ["top frame", "innermost of the project", "first own frame", "stack and imports"] as const;
const measures = ["file1", "file3", "function1"] as const;
/** A baseline that is ahead by less than this probable by chance isn't known to be better. */
const chanceMin = 0.05;
/** A busy machine takes long to fetch packages and to investigate some hundred cases. */
const preparedWithinMs = 600_000;

let strata: Stratum[];

beforeAll(async () => {
  strata = strataOf(await scoreCases(await sampleCases()));
}, preparedWithinMs);

/** Says by which baselines, and in what, the engine is beaten by more than chance explains. */
function defeats(form: Form): string[] {
  return strata
    .filter((stratum) => stratum.form === form)
    .flatMap(({ language, name, members }) =>
      defeatsIn(members).map((defeat) => `${language}, ${name}, ${members.length} cases: ${defeat}`),
    );
}

function defeatsIn(scored: readonly Scored[]): string[] {
  const isAhead = (one: Row, other: Row, measure: (typeof measures)[number]): boolean =>
    one[measure] === true && other[measure] !== true;
  return baselines.flatMap((baseline) =>
    measures.flatMap((measure) => {
      const lost = scored.filter((one) => isAhead(one.baselines[baseline], one.engine, measure)).length;
      const won = scored.filter((one) => isAhead(one.engine, one.baselines[baseline], measure)).length;
      if (lost <= won || chanceOfLosing(lost, won) >= chanceMin) return [];
      return [`${measure}: ${lost} lost to the ${baseline}, ${won} won`];
    }),
  );
}

describe("on a seeded sample of failures, each ranked by a model that its group didn't train, the engine", () => {
  it.each(codeForms)("is beaten by no baseline in any language and stratum: %s", (form) => {
    expect(defeats(form)).toEqual([]);
  });

  it("is asked in every language, and in every form", () => {
    expect([...new Set(strata.map(({ language }) => language))]).toEqual([
      ...["go", "java", "javascript", "python", "ruby", "typescript"],
    ]);
    expect([...new Set(strata.map(({ form }) => form))]).toEqual([...codeForms]);
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
