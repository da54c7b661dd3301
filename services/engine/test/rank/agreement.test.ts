import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreed, agreementOf } from "../../src/rank/agreement.ts";
import type { ModelFinding } from "../../src/signals/facts/model-finding.ts";

const naming = (file: string, first: ModelFinding["first"], change: Partial<ModelFinding> = {}): ModelFinding => ({
  ...{ model: "m", category: "unknown", stance: "supports", sentence: "", citations: [], runs: 2, of: 2, first },
  subject: { kind: "place", file, line: 1, function: null },
  ...change,
});
const withFirst = (...findings: readonly ModelFinding[]) =>
  agreementOf(findings, (subject) => subject.kind === "place" && subject.file === "a.js");

describe("the agreement of independent runs with the engine", () => {
  it("is that of the runs that weren't shown its report", () => {
    expect(withFirst(naming("a.js", { runs: 1, blind: 1 }))).toBe("agrees");
    expect(withFirst(naming("a.js", { runs: 1, blind: 0 }), naming("b.js", { runs: 1, blind: 1 }))).toBe("differs");
    expect(withFirst(naming("b.js", { runs: 2, blind: 1 }))).toBe("contradicts");
  });

  it("is none where no such run names anything first, or as many name the same as another", () => {
    expect(withFirst()).toBeNull();
    expect(withFirst(naming("a.js", { runs: 1, blind: 0 }))).toBeNull();
    expect(withFirst(naming("b.js", { runs: 1, blind: 1 }, { stance: "refutes" }))).toBeNull();
    expect(withFirst(naming("a.js", { runs: 1, blind: 1 }), naming("b.js", { runs: 1, blind: 1 }))).toBeNull();
  });

  it("moves a confidence by 2 points at most, and lowers it further where every run contradicts than where one differs", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 0.95, noNaN: true }), (score) => {
        const [raised, lowered, contradicted] = (["agrees", "differs", "contradicts"] as const).map((one) =>
          agreed(score, one),
        );
        expect(raised).toBeGreaterThan(score);
        expect(raised).toBeLessThanOrEqual(score + 0.02);
        expect(lowered).toBeLessThan(score);
        expect(contradicted).toBeLessThan(lowered ?? 0);
        expect(contradicted).toBeGreaterThanOrEqual(score - 0.02);
      }),
    );
  });
});
