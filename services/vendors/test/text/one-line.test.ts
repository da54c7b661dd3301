import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine } from "../../src/text/one-line.ts";

describe("text from outside as one line", () => {
  it("has no character that starts another line or changes its direction, and is not too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 80 }), (text, lengthMax) => {
        const line = oneLine(text, lengthMax);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect([...line].length).toBeLessThanOrEqual(lengthMax);
      }),
    );
  });

  it("drops citations of evidence, and keeps the rest as it is", () => {
    expect(oneLine("The `cart` has no total [e1] since 1.4 [e2, e3].", 100)).toBe("The cart has no total since 1.4.");
    expect(oneLine("x".repeat(20), 20)).toBe("x".repeat(20));
    expect(oneLine("x".repeat(21), 20)).toBe(`${"x".repeat(19)}…`);
  });
});
