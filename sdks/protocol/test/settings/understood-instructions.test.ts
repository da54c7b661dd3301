import { describe, expect, it } from "vitest";
import { incidentThresholdsSchema, understoodInstructions, withInstructions } from "../../src/index.ts";

const text = `We deploy on Tuesdays.
mute service: batch
- Mute failure: v1:1a2b
mute service:
Never mute service: payments`;

describe("the custom instructions that need no model", () => {
  it("are lines of a documented form, also in a list", () => {
    expect(understoodInstructions(text)).toEqual([
      { line: 2, setting: "muted_services", value: "batch" },
      { line: 3, setting: "muted_fingerprints", value: "v1:1a2b" },
    ]);
  });

  it("add to the thresholds, once each", () => {
    const thresholds = incidentThresholdsSchema.parse({ muted_services: ["batch", "cart"] });
    expect(withInstructions(thresholds, text)).toEqual({ ...thresholds, muted_fingerprints: ["v1:1a2b"] });
    expect(withInstructions(thresholds, "")).toEqual(thresholds);
  });
});
