import { describe, expect, it } from "vitest";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import { families } from "../../src/signals/families.ts";

const { weights, calibration } = shippedServiceModel();
/** What the event's own calls are worth, and a known failure, which no fact has. */
const ofCalls = ["knownFailure", "failedCall", "refusedCall", "refusedAnswer", "unreadableAnswer"];

describe("the model of services", () => {
  it.each([
    { family: "facts", names: Object.keys(weights.telemetry).filter((name) => !ofCalls.includes(name)) },
    { family: "outside", names: Object.keys(weights.outside.worth) },
  ])("has the weights that the kinds of $family declare, and no others", ({ family, names }) => {
    const kinds = families.find(({ name }) => name === family)?.kinds ?? [];
    const declared = kinds.flatMap(({ worth }) => worth.weights ?? []);
    expect(names.toSorted()).toEqual([...new Set(declared)].toSorted());
  });

  it("never lowers the confidence for a higher weight", () => {
    expect(calibration.share).toEqual(calibration.share.toSorted((left, right) => left - right));
    expect(calibration.probability).toEqual(calibration.probability.toSorted((left, right) => left - right));
  });
});
