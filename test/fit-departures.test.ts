import { describe, expect, it } from "vitest";
import { fitDepartures, type SeenDeparture } from "../bench/rca/train/fit-departures.ts";

/** So many files of callers that were so much likelier than the innermost one. */
function callers(
  by: number,
  gain: number,
  count: number,
  { corpus = "own" }: { readonly corpus?: string } = {},
): SeenDeparture[] {
  return Array.from({ length: count }, () => ({ where: "caller", by, gain, corpus, weight: 1 }));
}

describe("how far a file must be ahead of the innermost one", () => {
  it("is where more answers get right than wrong", () => {
    const seen = [...callers(1.3, -1, 10), ...callers(2.5, 1, 12), ...callers(2.5, -1, 4)];
    expect(fitDepartures(seen)).toEqual({ caller: 2 });
  });

  it("is further than anything where the innermost one is right more often", () => {
    const file = fitDepartures([...callers(1.3, -1, 10), ...callers(9, -1, 3)]);
    expect(file.caller).toBeGreaterThan(16);
  });

  it("is at least twice as likely for a file that nothing leads to", () => {
    const unled = (by: number, count: number) => callers(by, 1, count).map((one) => ({ ...one, where: "unled" }));
    expect(fitDepartures([...unled(1.3, 10), ...unled(2.5, 1)])).toEqual({ unled: 2 });
  });

  it("harms no corpus for another", () => {
    const seen = [...callers(1.3, 1, 50), ...callers(3, 1, 1, { corpus: "pasted" })];
    const harmed = callers(1.3, -1, 8, { corpus: "pasted" });
    expect(fitDepartures([...seen, ...harmed])).toEqual({ caller: 3 });
  });
});

describe("how far a place must be ahead of the innermost call", () => {
  it("is where more answers get right than wrong", () => {
    const seen = (by: number, gain: number, count: number) =>
      callers(by, gain, count).map((one) => ({ ...one, where: "place" }));
    expect(fitDepartures([...seen(0.15, -1, 5), ...seen(0.45, 1, 5)])).toEqual({ place: 0.4 });
  });
});
