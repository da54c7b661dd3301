import { describe, expect, it } from "vitest";
import { watchEmissions } from "../../src/instrumentations/emit-lookups.ts";

/** Looks up `process.emit`, as an emission does, on a full or nearly full stack: `start` calls deeper than usual. */
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

describe("the emission watch", () => {
  it("doesn't change how stacks are printed, even on a full stack", () => {
    const howPrinted = () => [Error.prepareStackTrace, Error.stackTraceLimit];
    const before = howPrinted();
    const stop = watchEmissions({ onExit: () => undefined, onRejection: () => undefined });
    for (let start = 0; start < 20; start++) overflow(start);
    stop();
    expect(howPrinted()).toEqual(before);
  });
});
