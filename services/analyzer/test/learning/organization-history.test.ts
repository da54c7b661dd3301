import { bandIndexOf } from "@whence/engine";
import type { ReportRecord } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { judgeAll, programWeightMax } from "../../src/learning/judgement.ts";
import { historyOf } from "../../src/learning/organization-history.ts";

function record(changes: Partial<ReportRecord> = {}): ReportRecord {
  return {
    ...{ incidentId: "inc_1", category: "bad-config", score: 0.75, modelScore: 0.7, completedAt: "2026-03-01" },
    ...{ isOfExit: false, verdicts: [], predictions: [] },
    ...changes,
  };
}

const judge = (of: ReportRecord) => judgeAll([of])[0];
const member = { kind: "member", id: "ada" } as const;
const agent = { kind: "agent", id: "agt_1" } as const;
const key = { kind: "key", id: "key_1" } as const;
const right = { author: member, verdict: "right" } as const;
const wrong = { author: member, verdict: "wrong" } as const;
const byAgent = { author: agent, verdict: "wrong" } as const;
const upheld = { isDiscriminating: true, outcome: "upheld" } as const;
const refuted = { isDiscriminating: true, outcome: "refuted" } as const;

describe("a judgment", () => {
  it("is people's verdict, then agents' verdict, then the outcome of predictions", () => {
    expect(judge(record({ verdicts: [byAgent, right], predictions: [refuted] }))).toEqual({
      ...{ by: "people", says: "confirmed", right: 1, weight: 1 },
    });
    expect(judge(record({ verdicts: [byAgent, { author: key, verdict: "wrong" }], predictions: [upheld] }))).toEqual({
      ...{ by: "agents", says: "refuted", right: 0, weight: 0.5 },
    });
    expect(judge(record({ predictions: [upheld] }))).toEqual({
      ...{ by: "predictions", says: "confirmed", right: 1, weight: 0.25 },
    });
  });

  it("counts once per report, and is partial when several differ", () => {
    expect(judge(record({ verdicts: [right, right, right, wrong] }))).toMatchObject({ says: "confirmed", right: 0.75 });
    expect(judge(record({ verdicts: [right, wrong] }))).toMatchObject({ says: "partly", right: 0.5, weight: 1 });
  });

  it("ignores predictions that are open, or that another candidate would make as well", () => {
    const open = { isDiscriminating: true, outcome: "open" } as const;
    expect(judge(record({ predictions: [open, { isDiscriminating: false, outcome: "refuted" }] }))).toBeNull();
    expect(judge(record({ predictions: [open, upheld, refuted] }))).toMatchObject({ says: "partly" });
  });
});

describe("the verdicts of one program", () => {
  const weightOf = (count: number): number =>
    judgeAll(Array.from({ length: count }, () => record({ verdicts: [byAgent] }))).reduce(
      (sum, judgement) => sum + (judgement?.weight ?? 0),
      0,
    );

  it.each([
    [1, 0.5],
    [3, 1.5],
    [4, programWeightMax],
    [5, programWeightMax],
    [500, programWeightMax],
  ])("weigh at most as much as two people's: %i weigh %f", (count, weight) => {
    expect(weightOf(count)).toBeCloseTo(weight, 10);
  });

  it("don't outweigh people's, even when there are many", () => {
    const all = [...Array.from({ length: 30 }, () => record({ verdicts: [byAgent] })), record({ verdicts: [right] })];
    expect(judgeAll(all).at(-1)).toMatchObject({ by: "people", weight: 1 });
    expect(historyOf(all)[3]).toMatchObject({ judged: 31, confirmedWeight: 1 });
    expect(historyOf(all)[3]?.weight).toBeCloseTo(programWeightMax + 1, 10);
  });

  it("count less than those of a program that rates less", () => {
    const [judgement] = judgeAll([
      record({ verdicts: [byAgent, { author: key, verdict: "right" }] }),
      ...Array.from({ length: 7 }, () => record({ verdicts: [byAgent] })),
    ]);
    // 2 / 8 beside 0.5.
    expect(judgement?.right).toBeCloseTo(0.5 / 0.75, 10);
    expect(judgement?.weight).toBeCloseTo(0.375, 10);
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
