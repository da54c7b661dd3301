import { describe, expect, it } from "vitest";
import { epochMilliseconds, epochNanoseconds, epochSeconds } from "../../src/integrations/epoch-times.ts";

const time = "2026-03-01T11:59:59.000Z";

describe("times since 1970", () => {
  it("are read from their units", () => {
    expect(epochSeconds.parse(1_772_366_399)).toBe(time);
    expect(epochMilliseconds.parse(1_772_366_399_000)).toBe(time);
    expect(epochNanoseconds.parse("1772366399000000000")).toBe(time);
  });

  it("end where those of a `Date` end", () => {
    expect(epochMilliseconds.parse(8_640_000_000_000_000)).toBe("+275760-09-13T00:00:00.000Z");
    expect(epochMilliseconds.safeParse(8_640_000_000_000_001).success).toBe(false);
    expect(epochSeconds.safeParse(8_640_000_000_001).success).toBe(false);
    expect(epochNanoseconds.parse("9".repeat(19))).toBe("2286-11-20T17:46:39.999Z");
    expect(epochNanoseconds.safeParse("9".repeat(20)).success).toBe(false);
  });

  it.each(["", "-1", "1.5", "now"])("aren't read from %j", (text) => {
    expect(epochNanoseconds.safeParse(text).success).toBe(false);
  });
});
