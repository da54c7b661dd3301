import { describe, expect, it } from "vitest";
import { isShortlyBefore } from "../../src/index.ts";

const error = "2026-03-01T10:00:30.000Z";

describe("a call shortly before an error", () => {
  it.each([
    ["2026-03-01T10:00:00.000Z", true],
    ["2026-03-01T09:59:59.999Z", false],
    ["2026-03-01T10:00:31.000Z", true],
    ["2026-03-01T10:00:31.001Z", false],
  ])("is made at most 30 s before it, or 1 s after it by another clock: %s", (call, expected) => {
    expect(isShortlyBefore(call, error)).toBe(expected);
  });
});
