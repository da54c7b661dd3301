import { bandIndexOf } from "@whence/engine";
import type { ReportRecord } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { judge } from "../../src/learning/judgement.ts";
import { historyOf } from "../../src/learning/organization-history.ts";

function record(changes: Partial<ReportRecord> = {}): ReportRecord {
  return {
    ...{ incidentId: "inc_1", category: "bad-config", score: 0.75, modelScore: 0.7, completedAt: "2026-03-01" },
    ...{ isOfExit: false, verdicts: [], predictions: [] },
    ...changes,
  };
}

const right = { author: "member", verdict: "right" } as const;
const wrong = { author: "member", verdict: "wrong" } as const;
const byAgent = { author: "agent", verdict: "wrong" } as const;
const upheld = { isDiscriminating: true, outcome: "upheld" } as const;
const refuted = { isDiscriminating: true, outcome: "refuted" } as const;

describe("a judgement", () => {
  it("is what people say, then what agents say, then what predictions came to", () => {
    expect(judge(record({ verdicts: [byAgent, right], predictions: [refuted] }))).toEqual({
      ...{ by: "people", says: "confirmed", right: 1, weight: 1 },
    });
    expect(judge(record({ verdicts: [byAgent, { author: "key", verdict: "wrong" }], predictions: [upheld] }))).toEqual({
      ...{ by: "agents", says: "refuted", right: 0, weight: 0.5 },
    });
    expect(judge(record({ predictions: [upheld] }))).toEqual({
      ...{ by: "predictions", says: "confirmed", right: 1, weight: 0.25 },
    });
  });

  it("is one per report however many there are, and partial when they differ", () => {
    expect(judge(record({ verdicts: [right, right, right, wrong] }))).toMatchObject({ says: "confirmed", right: 0.75 });
    expect(judge(record({ verdicts: [right, wrong] }))).toMatchObject({ says: "partly", right: 0.5, weight: 1 });
  });

  it("ignores predictions that are open, or that another candidate would make as well", () => {
    const open = { isDiscriminating: true, outcome: "open" } as const;
    expect(judge(record({ predictions: [open, { isDiscriminating: false, outcome: "refuted" }] }))).toBeNull();
    expect(judge(record({ predictions: [open, upheld, refuted] }))).toMatchObject({ says: "partly" });
  });
});

describe("the bands of confidence", () => {
  it("include their lower end and not their upper one, except 1", () => {
    expect([0, 0.19, 0.2, 0.59, 0.6, 0.8, 1].map(bandIndexOf)).toEqual([0, 0, 1, 2, 3, 4, 4]);
  });
});

describe("the history of an organization", () => {
  it("uses the model's confidence, before earlier history adjusted it", () => {
    const history = historyOf([
      record({ modelScore: 0.7, score: 0.85, verdicts: [right] }),
      record({ modelScore: 0.79, score: 0.5, verdicts: [wrong] }),
      record({ modelScore: 0.7, predictions: [upheld] }),
      record({ modelScore: 0.7 }),
    ]);
    expect(history.map(({ judged }) => judged)).toEqual([0, 0, 0, 3, 0]);
    expect(history[3]).toEqual({
      ...{ from: 0.6, to: 0.8, judged: 3, confirmed: 2, partly: 0, refuted: 1, byPeople: 2 },
      ...{ weight: 2.25, confirmedWeight: 1.25 },
    });
  });

  it("excludes reports on process exits, whose confidence comes from rules and not the model", () => {
    const history = historyOf([record({ isOfExit: true, verdicts: [wrong] }), record({ verdicts: [right] })]);
    expect(history[3]).toMatchObject({ judged: 1, confirmed: 1, refuted: 0 });
  });
});
