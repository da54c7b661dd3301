import { describe, expect, it } from "vitest";
import { levelNumbers, levelOfNumber, levels } from "../src/level.ts";

describe("the number of a log record", () => {
  it.each([
    [0, "debug"],
    [10, "debug"],
    [20, "debug"],
    [29, "debug"],
    [30, "info"],
    [40, "warning"],
    [49.9, "warning"],
    [50, "error"],
    [59, "error"],
    [60, "critical"],
    [1_000, "critical"],
    [Number.NaN, "debug"],
  ])("%d is %s", (number, level) => {
    expect(levelOfNumber(number)).toBe(level);
  });

  it("increases with the level", () => {
    const numbers = levels.map((level) => levelNumbers[level]);
    expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
  });
});
