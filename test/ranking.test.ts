import { beforeAll, describe, expect, it } from "vitest";
import type { Row } from "../bench/rca/score.ts";
import { type Scored, scoreCases } from "../bench/rca/score-cases.ts";
import { inStrata } from "../bench/rca/strata.ts";
import { sampleCases } from "./ranking-sample.ts";
import { chanceOfLosing } from "./sign-test.ts";

const strata = ["on the stack", "off the stack", "packages", "services"];
const languages = ["go", "java", "javascript", "python", "ruby", "typescript"];
const baselines = ["topFrame", "ownFrame", "stackAndImports"] as const;
const measures = ["file1", "file3"] as const;
/** A baseline is known to be better only if its lead is less probable by chance than this. */
const chanceMin = 0.05;
/** A busy machine takes long to fetch packages and to investigate some hundred cases. */
const preparedWithinMs = 600_000;

let members: Map<string, Scored[]>;

beforeAll(async () => {
  members = new Map(inStrata(await scoreCases(await sampleCases())));
}, preparedWithinMs);

/** Returns the baselines, and measures, by which the engine is beaten by more than chance explains. */
function defeats(scored: readonly Scored[]): string[] {
  return baselines.flatMap((baseline) =>
    measures.flatMap((measure) => {
      const isAhead = (one: Row, other: Row): boolean => Boolean(one[measure]) && !other[measure];
      const lost = scored.filter((one) => isAhead(one[baseline], one.engine)).length;
      const won = scored.filter((one) => isAhead(one.engine, one[baseline])).length;
      if (lost <= won || chanceOfLosing(lost, won) >= chanceMin) return [];
      return [`${measure} of ${scored.length} cases: ${lost} lost to ${baseline}, ${won} won`];
    }),
  );
}

describe("on a seeded sample of failures, each ranked by a model trained without its group, the engine", () => {
  it.each([...strata, ...languages])("is beaten by no baseline: %s", (stratum) => {
    const scored = members.get(stratum) ?? [];
    expect(scored.length).toBeGreaterThan(0);
    expect(defeats(scored)).toEqual([]);
  });

  it("was tested in every stratum", () => {
    expect([...members.keys()].toSorted()).toEqual([...strata, ...languages].toSorted());
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
