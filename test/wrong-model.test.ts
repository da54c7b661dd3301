import { beforeAll, describe, expect, it } from "vitest";
import { type BenchModel, openBenchModel } from "../bench/model/bench-model.ts";
import { lossMax, type ModelSetup, setUpModel } from "../bench/model/model-setup.ts";
import type { ScriptedModelName } from "../bench/model/scripted-models.ts";
import { inForms } from "../bench/rca/forms.ts";
import { ownCases } from "../bench/rca/own-case.ts";
import { type Compared, compareCases, greatestLoss } from "../bench/rca/with-model.ts";

/** Every n-th of our own cases, which need no package from elsewhere. */
const casesApart = 15;
/** A busy machine takes long to investigate a hundred times. */
const withinMs = 600_000;

/** Answers a fixed subset of `pnpm bench rca`, as `--model --scripted` does. */
async function compared(scripted: ScriptedModelName, everyNth = 1): Promise<readonly Compared[]> {
  await using setup = await opened(scripted);
  await using model: BenchModel = await openBenchModel(setup);
  const cases = ownCases().filter((_, index) => index % (casesApart * everyNth) === 0);
  const results = await compareCases(await inForms(cases, ["text", "imports", "tree"]), model, setup);
  expect(model.uses).toHaveLength(results.length);
  return results;
}

async function opened(scripted: ScriptedModelName): Promise<ModelSetup> {
  const setup = await setUpModel({ model: true, scripted });
  if (!setup) throw new Error("no model was set up");
  return setup;
}

describe("a model on failures whose cause is known", () => {
  let wrong: readonly Compared[];
  beforeAll(async () => {
    wrong = await compared("wrong");
  }, withinMs);

  it("is heard when it is wrong with quotes that hold", () => {
    const shareMin = 0.75;
    expect(wrong.filter(({ isHeard }) => isHeard).length / wrong.length).toBeGreaterThan(shareMin);
  });

  it("lowers no figure by more than two points when it is always wrong", () => {
    expect(greatestLoss(wrong)).toBeLessThanOrEqual(lossMax);
  });

  it.each(["silent", "failing"] as const)("changes nothing when it is %s", { timeout: withinMs }, async (scripted) => {
    for (const { alone, withModel, isHeard } of await compared(scripted, 12))
      expect([withModel, isHeard]).toEqual([alone, false]);
  });
});
