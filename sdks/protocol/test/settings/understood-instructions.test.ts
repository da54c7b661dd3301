import { describe, expect, it } from "vitest";
import { incidentThresholdsSchema, memberCalled, readInstructions, withInstructions } from "../../src/index.ts";

const text = `We deploy on Tuesdays.
mute service: batch
- Mute failure: v1:1a2b
mute service:
Never mute service: payments
payments belongs to ada@example.com
* \`prod-eu\` is production.
Checkout and payments belong to Ada. Nothing here belongs to Bob.
The database in Frankfurt is production
MUTE FAILURE ${"f".repeat(5)}`;

describe("the custom instructions that need no model", () => {
  it("are lines of a documented form, also in a list", () => {
    expect(readInstructions(text).understood).toEqual([
      { line: 2, setting: "muted_services", value: "batch" },
      { line: 3, setting: "muted_fingerprints", value: "v1:1a2b" },
      { line: 6, setting: "owners", value: "payments", owner: "ada@example.com" },
      { line: 7, setting: "production_envs", value: "prod-eu" },
    ]);
  });

  it("say which lines were meant to be one and aren't", () => {
    expect(readInstructions(text).misspelled).toEqual([4, 10]);
    const long = `mute service: ${"x".repeat(200)}`;
    expect(readInstructions(long)).toMatchObject({ understood: [{ line: 1 }], misspelled: [] });
    expect(readInstructions(`${long}x`)).toEqual({ understood: [], misspelled: [1] });
  });

  it("name a member by email address or by a name that only one has", () => {
    const ada = { name: "Ada", email: "ada@example.com" };
    const members = [ada, { name: "Bob", email: "bob@example.com" }, { name: "bob", email: "b2@example.com" }];
    expect(memberCalled(members, "ADA@example.com")).toBe(ada);
    expect(memberCalled(members, "ada")).toBe(ada);
    expect(memberCalled(members, "bob")).toBeNull();
    expect(memberCalled(members, "team checkout")).toBeNull();
  });

  it("add to the thresholds, once each", () => {
    const thresholds = incidentThresholdsSchema.parse({ muted_services: ["batch", "cart"] });
    expect(withInstructions(thresholds, text)).toEqual({
      ...{ ...thresholds, muted_fingerprints: ["v1:1a2b"] },
      production_envs: ["prod-eu"],
    });
    expect(withInstructions(thresholds, "")).toEqual({ ...thresholds, production_envs: [] });
  });
});
