import { incidentThresholdsSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  enteredThresholds,
  thresholdLists,
  thresholdNumbers,
} from "../../../src/features/settings/entered-thresholds.ts";
import { fieldProblems } from "../../../src/lib/field-problems.ts";

const usual = incidentThresholdsSchema.parse({});
const shown = [...thresholdNumbers, ...thresholdLists].map(([name]) => name);
const fields = Object.fromEntries(shown.map((name) => [name, [usual[name]].flat().join("\n")]));

function problemsOf(changes: Readonly<Record<string, string>>) {
  try {
    enteredThresholds({ ...fields, ...changes }, usual);
  } catch (error) {
    return fieldProblems(error);
  }
  return {};
}

describe("the entered incident thresholds", () => {
  it("are the defaults when nothing was changed", () => {
    expect(enteredThresholds(fields, usual)).toEqual(usual);
  });

  it("are numbers, and lists of one entry on each line", () => {
    const changed = { min_events: "3", spike_factor: " 2.5 ", muted_services: "cart\n\n checkout\n" };
    expect(enteredThresholds({ ...fields, ...changed }, usual)).toEqual({
      ...usual,
      min_events: 3,
      spike_factor: 2.5,
      muted_services: ["cart", "checkout"],
    });
  });

  it("keep what isn't in the form", () => {
    expect(enteredThresholds(fields, { ...usual, join_minutes: 5 }).join_minutes).toBe(5);
    expect(enteredThresholds(fields, { ...usual, join_minutes: 0 }).join_minutes).toBe(0);
  });

  it("replace what is in the form", () => {
    expect(enteredThresholds(fields, { ...usual, min_events: 7, muted_services: ["cart"] })).toEqual(usual);
  });

  it("are rejected field by field", () => {
    const problems = problemsOf({ min_events: "", window_minutes: "soon", quiet_hours: "0", spike_factor: "1.5" });
    expect(Object.keys(problems).toSorted()).toEqual(["min_events", "quiet_hours", "spike_factor", "window_minutes"]);
    expect(problems.min_events).toBe("This field is required.");
    expect(problems.quiet_hours).toBe("Input should be greater than or equal to 1.");
  });

  it("are rejected at a list with an entry that is too long", () => {
    expect(Object.keys(problemsOf({ muted_fingerprints: "x".repeat(201) }))).toEqual(["muted_fingerprints"]);
  });
});
