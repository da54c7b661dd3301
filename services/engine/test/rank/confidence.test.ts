import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/rank/candidate.ts";
import { confidenceOf } from "../../src/rank/confidence.ts";
import type { Subject } from "../../src/signals/subject.ts";
import { SourceText } from "../../src/source/source-text.ts";

const candidate = (subject: Subject, probability: number): Candidate => ({
  ...{ subject, probability, service: null, category: "unknown", signature: null },
  ...{ signals: [], frames: [], observations: [] },
});
const source = new SourceText("source_file", "a.js", "");
const file = (probability: number, given = true) =>
  candidate({ kind: "place", file: "a.js", line: 1, function: null, source: given ? source : null }, probability);
const service = (probability: number) => candidate({ kind: "service", service: "payments" }, probability);
const confidence = (first: Candidate | readonly Candidate[], reservations: Parameters<typeof confidenceOf>[2] = {}) =>
  confidenceOf(Array.isArray(first) ? first : [first], undefined, reservations);

describe("the confidence in a file", () => {
  it("is its probability", () => {
    expect(confidence(file(0.7))).toMatchObject({ score: 0.7, modelScore: 0.7, about: "file", isForgeable: false });
  });

  it("is lower when another error in the text may be the failure, and says so", () => {
    expect(confidence(file(0.8), { competition: 0.5 })).toMatchObject({ score: 0.4, isContested: true });
    expect(confidence(file(0.8), { competition: 1 }).isContested).toBe(false);
  });

  it("is lower when the text may have been forged, and says so", () => {
    expect(confidence(file(0.5), { isForgeable: true })).toMatchObject({ score: 0.3, isForgeable: true });
  });

  it("never exceeds 0.95 nor falls below 0.05", () => {
    expect(confidence(file(1)).score).toBe(0.95);
    expect(confidence(file(0.01)).score).toBe(0.05);
  });
});

describe("the confidence after a language model was asked", () => {
  it("moves with its agreement, and says what it was", () => {
    const raised = confidence(file(0.7), { agreement: "agrees" });
    expect(raised).toMatchObject({ engineScore: 0.7, agreement: "agrees" });
    expect(raised.score).toBeGreaterThan(0.7);
    expect(confidence(file(0.7), { agreement: "contradicts" }).score).toBeLessThan(0.7);
  });

  it("isn't raised where part of the error may have been written for the model, too", () => {
    const forged = { isForgeable: true, agreement: "agrees" } as const;
    expect(confidence(file(0.7), forged)).toEqual(confidence(file(0.7), { isForgeable: true }));
    expect(confidence(file(0.7), { ...forged, agreement: "differs" }).score).toBeLessThan(0.42);
  });

  it("stays where only the category of failure is known", () => {
    expect(confidence(service(0), { agreement: "agrees" })).toMatchObject({ score: 0.1, agreement: null });
  });
});

describe("the confidence in a service", () => {
  const calibration = { probability: [0, 0.5, 1], share: [0, 0.3, 0.8] };

  it("is how often a service of that weight was right, interpolated between measured weights", () => {
    expect(confidence(service(0.5), { calibration }).score).toBe(0.3);
    expect(confidence(service(0.75), { calibration }).score).toBe(0.55);
  });

  it("is at most 0.59 when the failure is only known from words", () => {
    expect(confidence(service(1), { calibration, knownFrom: "announcement" }).score).toBe(0.59);
    expect(confidence(service(1), { calibration }).score).toBe(0.8);
  });

  it("is the likelihood itself when heartbeats show how a process ended", () => {
    expect(confidence(service(0.75), { calibration, knownFrom: "heartbeats" }).score).toBe(0.75);
  });

  it("isn't called contested because of other errors in the text, which are about files", () => {
    expect(confidence(service(0.9), { competition: 0.5 }).isContested).toBe(false);
  });
});

describe("the confidence when only the category of failure is known", () => {
  it("is 0.1, whatever else lowers it", () => {
    expect(confidence(service(0), { isForgeable: true })).toMatchObject({
      ...{ score: 0.1, about: "failure", isForgeable: false },
    });
    expect(confidence([])).toMatchObject({ score: 0.1, about: "failure", isTie: false });
  });
});

describe("a tie", () => {
  it("is two candidates less than 10 points apart, of whatever kind", () => {
    expect(confidence([file(0.5), service(0.41)]).isTie).toBe(true);
    expect(confidence([file(0.5), service(0.4)]).isTie).toBe(false);
    expect(confidence([file(0.5)]).isTie).toBe(false);
  });

  it("doesn't depend on how a difference of ten points is rounded", () => {
    for (const high of [0.3, 0.4, 0.7, 0.8, 0.9]) expect(confidence([file(high), file(high - 0.1)]).isTie).toBe(false);
  });
});
