import { describe, expect, it } from "vitest";
import { watchEmissions } from "../../src/instrumentations/emit-lookups.ts";

/** Looks `process.emit` up, as an emission does, on a stack that is full or nearly so: `start` calls deeper than usual. */
function overflow(start: number): void {
  const lookDeeper = (): void => {
    try {
      lookDeeper();
    } finally {
      Reflect.get(process, "emit");
    }
  };
  if (start > 0) overflow(start - 1);
  else expect(lookDeeper).toThrow(RangeError);
}

describe("the watch over emissions", () => {
  it("leaves how stacks are printed as it was, also where it is asked on a stack that is full", () => {
    const howPrinted = () => [Error.prepareStackTrace, Error.stackTraceLimit];
    const before = howPrinted();
    const stop = watchEmissions({ onExit: () => undefined, onRejection: () => undefined });
    for (let start = 0; start < 20; start++) overflow(start);
    stop();
    expect(howPrinted()).toEqual(before);
  });
});
