import { describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";

describe("the limits", () => {
  it("are whole numbers above 0", () => {
    expect(Object.entries(limits).filter(([, value]) => !Number.isSafeInteger(value) || value < 1)).toEqual([]);
  });

  it("match the specification", () => {
    expect(limits).toMatchObject({
      breadcrumbsMax: 100,
      heartbeatIntervalMs: 60_000,
      flushIntervalMs: 5_000,
      sourceLengthMin: 1,
      sourceLengthMax: 50,
      filesMax: 20,
      unclaimedAgentLifetimeMs: 3 * 24 * 60 * 60 * 1_000,
    });
  });

  it("nest: a text fits into an event, an event into a batch, a batch into its unpacked bound", () => {
    expect(limits.textLengthMax).toBeLessThanOrEqual(limits.messageLengthMax);
    expect(limits.messageLengthMax + limits.stackLengthMax).toBeLessThanOrEqual(limits.eventBytesMax);
    expect(limits.eventBytesMax).toBeLessThanOrEqual(limits.batchBytesMax);
    expect(limits.batchBytesMax).toBeLessThan(limits.batchUnpackedBytesMax);
  });
});
