import { describe, expect, it } from "vitest";
import { binomialTail, fisherTail, wilsonLower } from "../../src/collectors/statistics.ts";

describe("the binomial tail", () => {
  it("is the probability of at least this many hits", () => {
    expect(binomialTail(8, 10, 0.5)).toBeCloseTo(56 / 1_024, 10);
    expect(binomialTail(1, 1, 0.25)).toBeCloseTo(0.25, 10);
    expect(binomialTail(0, 10, 0.1)).toBe(1);
    expect(binomialTail(1, 10, 0)).toBe(0);
    expect(binomialTail(10, 10, 1)).toBe(1);
  });

  it("stays a probability for thousands of draws", () => {
    expect(binomialTail(1_000, 2_000, 0.5)).toBeCloseTo(0.5089, 3);
    expect(binomialTail(1_200, 2_000, 0.5)).toBeLessThan(1e-15);
  });
});

describe("Fisher's exact test", () => {
  it("agrees with the tea tasting", () => {
    expect(fisherTail(4, 4, 4, 8)).toBeCloseTo(1 / 70, 10);
    expect(fisherTail(3, 4, 4, 8)).toBeCloseTo(17 / 70, 10);
    expect(fisherTail(0, 4, 4, 8)).toBeCloseTo(1, 10);
  });

  it("distinguishes 37 of 40 next to 0 of 200 from chance, but not 1 of 1 next to 0 of 1", () => {
    expect(fisherTail(37, 40, 37, 240)).toBeLessThan(1e-30);
    expect(fisherTail(1, 1, 1, 2)).toBe(0.5);
  });
});

describe("Wilson's lower bound", () => {
  it("is far from certain for one of one and close to it for forty of forty", () => {
    expect(wilsonLower(1, 1)).toBeCloseTo(0.2065, 3);
    expect(wilsonLower(40, 40)).toBeCloseTo(0.9124, 3);
    expect(wilsonLower(0, 10)).toBe(0);
    expect(wilsonLower(0, 0)).toBe(0);
  });
});
