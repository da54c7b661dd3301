import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../src/http/retry-after.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["0", 0],
    ["Sun, 01 Mar 2026 12:05:00 GMT", 300_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["-7", 0],
    ["soon", null],
    ["", null],
    [undefined, null],
  ])("%j asks to wait %j ms", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
