import { describe, expect, it } from "vitest";
import { usedUpText } from "../../../../src/features/settings/model/used-up-text.ts";

describe("what the page says when a budget of the day is used up", () => {
  it("names the budget", () => {
    expect(usedUpText("tokens", null)).toContain("Today's tokens are used up");
    expect(usedUpText("usd", null)).toContain("Today's US dollars are used up");
  });

  it("says to raise the budget to owners of the organization's model only", () => {
    expect(usedUpText("tokens", "organization")).toContain("raise the budget below");
    expect(usedUpText("tokens", "installation")).toContain("connect your own model below");
    expect(usedUpText("tokens", null)).not.toContain("below");
  });
});
