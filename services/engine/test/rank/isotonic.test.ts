import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nonDecreasing } from "../../src/rank/isotonic.ts";

const weighted = fc.record({
  value: fc.double({ min: 0, max: 1, noNaN: true }),
  weight: fc.double({ min: 0.5, max: 50, noNaN: true }),
});
const lists = fc.array(weighted, { minLength: 1, maxLength: 20 });

describe("the closest nondecreasing values", () => {
  it("are the values themselves when those don't decrease", () => {
    expect(nonDecreasing([0.1, 0.1, 0.5].map((value) => ({ value, weight: 3 })))).toEqual([0.1, 0.1, 0.5]);
  });

  it("share their weighted mean where neighbors decrease, as far back as necessary", () => {
    const values = [
      { value: 0.2, weight: 1 },
      { value: 0.6, weight: 1 },
      { value: 0.3, weight: 2 },
      { value: 0.9, weight: 1 },
    ];
    expect(nonDecreasing(values)).toEqual([0.2, 0.4, 0.4, 0.9].map((value) => expect.closeTo(value, 10)));
  });

  it("never decrease, and keep the weighted sum", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const made = nonDecreasing(list);
        const sum = (of: (index: number) => number) =>
          list.reduce((total, { weight }, index) => total + weight * of(index), 0);
        expect(made.every((value, index) => index === 0 || value >= (made[index - 1] ?? 0) - 1e-9)).toBe(true);
        expect(sum((index) => made[index] ?? 0)).toBeCloseTo(
          sum((index) => list[index]?.value ?? 0),
          6,
        );
      }),
    );
  });
});
