import { describe, expect, it } from "vitest";
import { learnedServiceModel } from "../../src/rank/service-model.ts";
import { factKinds } from "../../src/signals/facts/kinds.ts";

const { trained, weights, calibration } = learnedServiceModel();
/** What the event's own calls are worth, and a known failure, which no fact has. */
const ofCalls = ["knownFailure", "failedCall", "refusedCall", "refusedAnswer", "unreadableAnswer"];

describe("the learned model of services", () => {
  it("has the weights that the kinds of facts declare, and no others", () => {
    const declared = Object.values(factKinds).flatMap((kind) => ("weights" in kind ? (kind.weights ?? []) : []));
    expect(Object.keys(weights.telemetry).toSorted()).toEqual([...new Set([...declared, ...ofCalls])].toSorted());
  });

  it("says when it was trained, on which runs, and how it did on those that it hadn't seen", () => {
    expect(trained.runs_sha256).toMatch(/^[\da-f]{64}$/);
    expect(trained.held_out.runs).toBeGreaterThan(0);
    expect(trained.held_out.systems).toBeGreaterThan(0.5);
  });

  it("never lowers the confidence for a higher weight", () => {
    expect(calibration.share).toEqual(calibration.share.toSorted((left, right) => left - right));
    expect(calibration.probability).toEqual(calibration.probability.toSorted((left, right) => left - right));
  });
});
