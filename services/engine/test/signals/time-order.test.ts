import { dayMs } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comesAfter, failureMoment, releaseMoment, timeErrorMs } from "../../src/signals/time-order.ts";

const began = Date.parse("2026-03-01T10:00:00.000Z");
const rfc = (ms: number): string => new Date(ms).toISOString();
const failure = failureMoment({ firstSeen: rfc(began) });
const release = (afterMs: number, isStartKnown: boolean) => releaseMoment({ at: rfc(began + afterMs), isStartKnown });

describe("a cause", () => {
  it.each([
    ["a start", true, timeErrorMs.start],
    ["a first event or a report", false, timeErrorMs.heard],
  ])(
    "comes after a failure by more than the inexactness of %s, and has no order up to that",
    (_, isStartKnown, errorMs) => {
      expect(comesAfter(release(errorMs, isStartKnown), failure)).toBe(false);
      expect(comesAfter(release(errorMs + 1, isStartKnown), failure)).toBe(true);
      expect(comesAfter(release(-errorMs - 1, isStartKnown), failure)).toBe(false);
    },
  );

  it("has no order within the minute of a rise", () => {
    const rise = failureMoment({ firstSeen: rfc(began), began: "rose" });
    expect(comesAfter(release(60_000 + timeErrorMs.start, true), rise)).toBe(false);
    expect(comesAfter(release(60_001 + timeErrorMs.start, true), rise)).toBe(true);
  });

  it("that truly came first never comes after, however much the clocks differ within their error", () => {
    const skew = fc.integer({ min: 0, max: timeErrorMs.start });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: dayMs }), skew, (beforeMs, skewMs) => {
        expect(comesAfter(release(skewMs - beforeMs, true), failure)).toBe(false);
      }),
    );
  });

  it("never comes after what comes after it", () => {
    const moment = fc.record({ at: fc.integer(), errorMs: fc.nat() });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        expect(comesAfter(one, other) && comesAfter(other, one)).toBe(false);
      }),
    );
  });
});
