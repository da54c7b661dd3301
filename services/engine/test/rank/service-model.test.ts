import { describe, expect, it } from "vitest";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import { factKinds } from "../../src/signals/facts/kinds.ts";

const { weights, calibration } = shippedServiceModel();
/** What the event's own calls are worth, and a known failure, which no fact has. */
const ofCalls = ["knownFailure", "failedCall", "refusedCall", "refusedAnswer", "unreadableAnswer"];

describe("the model of services", () => {
  it("has the weights that the kinds of facts declare, and no others", () => {
    const declared = Object.values(factKinds).flatMap((kind) => ("weights" in kind ? (kind.weights ?? []) : []));
    expect(Object.keys(weights.telemetry).toSorted()).toEqual([...new Set([...declared, ...ofCalls])].toSorted());
  });

  it("never lowers the confidence for a higher weight", () => {
    expect(calibration.share).toEqual(calibration.share.toSorted((left, right) => left - right));
    expect(calibration.probability).toEqual(calibration.probability.toSorted((left, right) => left - right));
  });
});
