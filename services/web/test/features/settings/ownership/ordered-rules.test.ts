import { describe, expect, it } from "vitest";
import { coveredBy, moved, sentRules } from "../../../../src/features/settings/ownership/ordered-rules.ts";

const owner = { id: "user_1", name: "Ada", email: "ada@example.com" };

describe("rules in an order", () => {
  it("move one up or down, and keep the others in their order", () => {
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
  });

  it("are back in their first order once the move is undone", () => {
    const items = ["a", "b", "c", "d"];
    for (const from of items.keys()) {
      for (const to of items.keys()) expect(moved(moved(items, from, to), to, from)).toEqual(items);
    }
  });

  it("are sent with the ids of their owners", () => {
    expect(sentRules([{ match: "service", pattern: "cart", owner }])).toEqual([
      { match: "service", pattern: "cart", owner: "user_1" },
    ]);
  });

  it("name the earlier rule that looks at the same", () => {
    const rules = [
      { match: "service", pattern: "cart" },
      { match: "path", pattern: "cart" },
      { match: "service", pattern: "cart" },
    ] as const;
    expect(rules.map((_, at) => coveredBy(rules, at))).toEqual([undefined, undefined, 0]);
  });
});
