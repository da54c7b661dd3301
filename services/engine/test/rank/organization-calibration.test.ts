import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BandHistory,
  confidenceBands,
  type OrganizationHistory,
} from "../../src/findings/organization-history.ts";
import type { Candidate } from "../../src/rank/candidate.ts";
import { confidenceOf } from "../../src/rank/confidence.ts";
import { calibrated } from "../../src/rank/organization-calibration.ts";
import { SourceText } from "../../src/source/source-text.ts";

const none = { judged: 0, confirmed: 0, partly: 0, refuted: 0, byPeople: 0, weight: 0, confirmedWeight: 0 };
const noHistory: OrganizationHistory = confidenceBands.map((band) => ({ ...band, ...none }));

/** As many people's verdicts in each band, from the lowest. */
function historyWith(counts: readonly (readonly [right: number, wrong: number])[]): OrganizationHistory {
  return noHistory.map((band, index): BandHistory => {
    const [right = 0, wrong = 0] = counts[index] ?? [];
    const judged = right + wrong;
    return {
      ...band,
      judged,
      byPeople: judged,
      confirmed: right,
      refuted: wrong,
      weight: judged,
      confirmedWeight: right,
    };
  });
}

const score = fc.double({ min: 0.05, max: 0.95, noNaN: true });
const verdicts = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 }));
const counts = fc.array(verdicts, { minLength: 5, maxLength: 5 });
const band = fc.nat({ max: 4 });

describe("the calibration by an organization's history", () => {
  it("leaves a confidence unchanged without history", () => {
    fc.assert(fc.property(score, (given) => calibrated(given, noHistory) === given));
  });

  it("changes no confidence by more than 0.2, nor beyond 0.05 and 0.95", () => {
    fc.assert(
      fc.property(score, counts, (given, history) => {
        const moved = calibrated(given, historyWith(history));
        return Math.abs(moved - given) <= 0.2 + 1e-9 && moved >= 0.05 && moved <= 0.95;
      }),
    );
  });

  it("never ranks a report below one with a lower score from the model", () => {
    fc.assert(
      fc.property(score, score, counts, (left, right, history) => {
        const known = historyWith(history);
        return calibrated(Math.min(left, right), known) <= calibrated(Math.max(left, right), known) + 1e-9;
      }),
    );
  });

  it("never falls with a confirmation or rises with a refutation, in any band", () => {
    fc.assert(
      fc.property(score, counts, band, (given, history, changed) => {
        const add = (right: number, wrong: number) =>
          historyWith(history.map(([r, w], index) => (index === changed ? [r + right, w + wrong] : [r, w])));
        const before = calibrated(given, add(0, 0));
        return calibrated(given, add(1, 0)) >= before - 1e-9 && calibrated(given, add(0, 1)) <= before + 1e-9;
      }),
    );
  });

  it("changes little with few verdicts: less than 0.05 with one, half of the difference with twenty", () => {
    const at = (right: number, wrong: number) =>
      calibrated(
        0.7,
        historyWith([
          [0, 0],
          [0, 0],
          [0, 0],
          [right, wrong],
        ]),
      );
    expect(0.7 - at(0, 1)).toBeLessThan(0.05);
    expect(at(10, 10)).toBeCloseTo(0.6, 5);
  });

  it("counts the judged and confirmed reports of the band, and keeps the earlier score", () => {
    const history = historyWith([
      [0, 0],
      [0, 0],
      [0, 0],
      [3, 11],
    ]);
    expect(confidenceOf([candidate(0.7)], history)).toMatchObject({
      ...{ score: 0.5, modelScore: 0.7, judged: 14, confirmed: 3 },
    });
    expect(confidenceOf([candidate(0.7)], undefined)).toMatchObject({ score: 0.7, modelScore: 0.7, judged: 0 });
  });

  it("calls two candidates within 10 points a tie", () => {
    expect(confidenceOf([candidate(0.4), candidate(0.31)], undefined).isTie).toBe(true);
    expect(confidenceOf([candidate(0.4), candidate(0.3)], undefined).isTie).toBe(false);
  });
});

function candidate(probability: number): Candidate {
  const source = new SourceText("source_file", "a.js", "");
  return {
    subject: { kind: "place", file: "a.js", line: 1, function: null, source },
    ...{ service: null, category: "unknown", probability, signals: [], frames: [], observations: [], signature: null },
  };
}
