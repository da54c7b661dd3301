import { minuteMs } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeTicks, valueTicks } from "../../src/components/chart-axis.ts";

const noon = Date.UTC(2026, 10, 22, 12);

describe("the ticks of a scale of values", () => {
  it("are round, and whole for what is counted", () => {
    expect(valueTicks(4, true)).toEqual([0, 1, 2, 3, 4]);
    expect(valueTicks(2, true)).toEqual([0, 1, 2]);
    expect(valueTicks(1, false)).toEqual([0, 0.5, 1]);
    expect(valueTicks(1_150, true)).toEqual([0, 500, 1_000]);
  });

  it("are between two and six, from 0 to at most the top", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.boolean(), (top, areWhole) => {
        const ticks = valueTicks(top, areWhole);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeLessThanOrEqual(top);
      }),
    );
  });
});

describe("the ticks of a scale of times", () => {
  it("are what the clock shows as round, in the zone of the reader", () => {
    const halfPast = noon + 30 * minuteMs;
    expect(timeTicks(halfPast, halfPast + 60 * minuteMs, 0)).toEqual(
      [0, 10, 20, 30, 40, 50, 60].map((minutes) => halfPast + minutes * minuteMs),
    );
    // Midnight in Kathmandu, 5 h 45 min ahead of UTC.
    const ahead = (5 * 60 + 45) * minuteMs;
    expect(timeTicks(noon, noon + 6 * 24 * 60 * minuteMs, ahead)[0]).toBe(Date.UTC(2026, 10, 22, 18, 15));
  });

  it("are seven at most, and inside the span", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 * 24 * 40 }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (minutes, offset) => {
          const to = noon + minutes * minuteMs;
          const ticks = timeTicks(noon, to, offset * minuteMs);
          expect(ticks.length).toBeLessThanOrEqual(7);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(noon);
            expect(tick).toBeLessThanOrEqual(to);
          }
        },
      ),
    );
  });
});
