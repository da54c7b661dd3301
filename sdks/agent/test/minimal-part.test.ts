import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimalPart } from "../src/prove/minimal-part.ts";

const list = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Finds the minimal part of `0…length-1` that contains all of `needed`, and counts the tests. */
async function found(length: number, needed: readonly number[], testsMax = Number.POSITIVE_INFINITY) {
  let tests = 0;
  const has = async (part: readonly number[]): Promise<boolean> => {
    tests += 1;
    return needed.every((one) => part.includes(one));
  };
  const part = await minimalPart(list(length), has, () => tests >= testsMax);
  return { part, tests };
}

describe("the minimal part of a list with a property", () => {
  it("is what the property needs, in the order of the list", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(list(24), { minLength: 1 }), async (needed) => {
        expect((await found(24, needed)).part).toEqual(needed);
      }),
    );
  });

  it("is one element of many after as many tests as it can be halved, twice", async () => {
    for (const one of [0, 511, 1023]) {
      const { part, tests } = await found(1024, [one]);
      expect(part).toEqual([one]);
      expect(tests).toBeLessThanOrEqual(20);
    }
  });

  it("loses the property without any of its elements, where parts together need others", async () => {
    const rule = (part: readonly number[]): boolean =>
      part.includes(7) && (!part.includes(3) || part.includes(4)) && part.length % 2 === 1;
    const whole = list(9);
    const part = await minimalPart(
      whole,
      async (one) => rule(one),
      () => false,
    );
    expect(rule(part)).toBe(true);
    for (const left of part) expect(rule(part.filter((one) => one !== left))).toBe(false);
  });

  it("is the smallest found when the time is over", async () => {
    expect((await found(16, [3], 1)).part).toEqual(list(8));
    expect((await found(16, [3], 0)).part).toEqual(list(16));
  });

  it("is the only element of a list, untested", async () => {
    expect(await found(1, [0])).toEqual({ part: [0], tests: 0 });
  });
});
