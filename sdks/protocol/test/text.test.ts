import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedBytes, timestampSchema, utf8Length } from "../src/text.ts";

/** Strings, including those with lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

describe("utf8Length", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["\u007f", 1],
    ["\u0080", 2],
    ["\u07ff", 2],
    ["\u0800", 3],
    ["\uffff", 3],
    ["😀", 4],
    ["\ud800", 3],
    ["\udc00\ud800", 6],
    ["\ud800😀", 7],
  ])("of %j is %d", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });

  it("is the length of the encoded text, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, "utf8"));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a text bounded in bytes", () => {
  it.each([
    ["abcd", true],
    ["abcde", false],
    ["éé", true],
    ["ééx", false],
    ["😀", true],
    ["😀x", false],
  ])("of at most 4: %j is accepted: %s", (text, isTaken) => {
    expect(boundedBytes(4).safeParse(text).success).toBe(isTaken);
  });

  it("names its bound when the text exceeds it", () => {
    expect(boundedBytes(4).safeParse("abcde").error?.issues).toMatchObject([
      { code: "too_big", maximum: 4, message: "String should have at most 4 bytes in UTF-8" },
    ]);
  });
});

describe("a timestamp", () => {
  it.each([
    "2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00.000Z",
    "2026-03-01T12:00:00.123456+00:00",
    "2024-02-29T23:59:59-05:30",
  ])("may be %s, and is a time", (text) => {
    expect(timestampSchema.safeParse(text).success).toBe(true);
    expect(Date.parse(text)).not.toBeNaN();
  });

  it.each([
    "2026-03-01T12:00:00",
    "2026-03-01",
    "2025-02-29T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-13-01T00:00:00Z",
    "now",
    "",
  ])("can't be %j", (text) => {
    expect(timestampSchema.safeParse(text).success).toBe(false);
  });
});
