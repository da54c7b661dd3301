import { describe, expect, it } from "vitest";
import { calibrate, evaluate, learnedModel, softmax } from "../../src/rank/model.ts";
import { rankingFeatures } from "../../src/ranking.ts";

const log = `TypeError: Cannot read properties of undefined (reading 'endsWith')
    at fetchPrice (/srv/orders/src/prices.js:2:21)
`;
const files = [{ name: "src/prices.js", content: "const base = process.env.PRICES_URL;\nbase.endsWith('/');\n" }];

describe("the shipped model", () => {
  it("has exactly the features that the code computes", async () => {
    const made = await rankingFeatures(log, files);
    const { file, place } = learnedModel();
    expect(Object.keys(made.files[0]?.values ?? {}).sort()).toEqual(file.features.toSorted());
    expect(Object.keys(made.places[0]?.values ?? {}).sort()).toEqual(place.features.toSorted());
  });

  it("says when and on which cases it was trained, and how often it was right on held-out groups", () => {
    const { on, corpora_sha256, held_out } = learnedModel().trained;
    expect(on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(corpora_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(held_out).sort()).toEqual(["mined", "mutant", "own", "pasted"]);
    for (const { first, three } of Object.values(held_out)) expect(three).toBeGreaterThanOrEqual(first);
  });

  it("has ascending calibrations", () => {
    const { calibration, calibrations, texts } = learnedModel();
    const all = [calibration, texts.calibration, ...Object.values(calibrations), ...Object.values(texts.calibrations)];
    for (const { probability, share } of all) {
      expect(probability).toEqual(probability.toSorted((left, right) => left - right));
      expect(share).toEqual(share.toSorted((left, right) => left - right));
    }
  });

  it("is calibrated for each language of the recorded failures, and texts of others together", () => {
    const views = ["text", "stack", "wider"];
    const sights = (...languages: readonly string[]): string[] =>
      languages.flatMap((language) => views.map((view) => `${language}/${view}`)).toSorted();
    const { calibrations, texts } = learnedModel();
    const languages = ["go", "javascript", "jvm", "python", "ruby"];
    expect(Object.keys(calibrations).sort()).toEqual(sights(...languages));
    expect(Object.keys(texts.calibrations).sort()).toEqual(sights(...languages, "other"));
  });
});

describe("an ensemble", () => {
  const split = { feature: [0, -1, -1], threshold: [0.5, 0, 0], left: [1, 0, 0], right: [2, 0, 0], value: [0, 1, 4] };
  const ensemble = { features: ["rank"], trees: [split, split] };

  it("adds up its trees' values; a value at the threshold goes left", () => {
    expect([0.4, 0.5, 0.6].map((rank) => evaluate(ensemble, { rank }))).toEqual([2, 2, 8]);
  });

  it("counts a missing feature as 0", () => {
    expect(evaluate(ensemble, {})).toBe(2);
  });
});

describe("shares", () => {
  it("add up to 1, keep the order, and are further apart with a higher sharpness", () => {
    const [high = 0, low = 0] = softmax([2, 1], 1);
    expect(high + low).toBeCloseTo(1);
    expect(high).toBeGreaterThan(low);
    expect(softmax([2, 1], 3)[0]).toBeGreaterThan(high);
  });

  it("of scores too large to exponentiate are still numbers", () => {
    expect(softmax([5_000, 4_000], 1)).toEqual([1, 0]);
  });
});

describe("a calibrated probability", () => {
  const calibration = { probability: [0.2, 0.4, 0.8], share: [0.1, 0.5, 0.7] };

  it("lies between the measured points, and is constant beyond them", () => {
    expect([0, 0.2, 0.3, 0.6, 0.8, 1].map((value) => calibrate(calibration, value))).toEqual(
      [0.1, 0.1, 0.3, 0.6, 0.7, 0.7].map((value) => expect.closeTo(value, 10)),
    );
  });
});
