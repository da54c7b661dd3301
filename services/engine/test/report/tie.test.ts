import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/rank/candidate.ts";
import { isTie } from "../../src/report/headline.ts";

const at = (file: string, probability: number): Candidate => ({
  subject: { kind: "place", file, line: 1, function: null, source: null },
  ...{
    service: "orders",
    category: "unknown",
    probability,
    signals: [],
    frames: [],
    observations: [],
    signature: null,
  },
});

/** Two candidates, and the confidence of the report. */
function tied(first: number, second: number, score: number): boolean {
  const candidates = [at("a.js", first), at("b.js", second)];
  const confidence = {
    ...{ score, modelScore: score, engineScore: score, agreement: null, isTie: true, judged: 0, confirmed: 0 },
    ...{ isContested: false, isForgeable: false, bareStack: null, about: "file" as const },
  };
  const chained = { chain: [], location: null, ids: [], citedIds: [] };
  return isTie({
    ranking: { candidates, confidence },
    candidates: candidates.map((candidate) => ({ candidate, ...chained })),
  });
}

describe("two candidates", () => {
  it("aren't about equally likely where the report shows scores 10 points apart", () => {
    expect(tied(0.41, 0.36, 0.6)).toBe(false);
    expect(tied(0.41, 0.36, 0.4)).toBe(true);
  });
});
