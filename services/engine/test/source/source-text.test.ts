import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceText } from "../../src/source/source-text.ts";

const lines = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 8 }).map((parts) => parts.join("\n"));

describe("a source text", () => {
  it("quotes exactly the bytes of the range it names", () => {
    fc.assert(
      fc.property(lines, fc.nat(60), fc.nat(60), (text, one, other) => {
        const source = new SourceText("error_log", "log", text);
        const start = Math.min(one, other, source.text.length);
        const end = Math.min(Math.max(one, other), source.text.length);
        fc.pre(isBoundary(source.text, start) && isBoundary(source.text, end));
        const { excerpt, range } = source.quote({ start, end });
        const bytes = Buffer.from(text, "utf8").subarray(range?.start, range?.end).toString("utf8");
        expect(bytes).toBe(excerpt);
      }),
    );
  });

  it("returns the digest of the text as UTF-8", () => {
    const text = "über\n\ud83d\ude00";
    const expected = createHash("sha256").update(Buffer.from(text, "utf8")).digest("hex");
    expect(new SourceText("source_file", "a.js", text).sha256).toBe(expected);
  });

  it("numbers lines from the start of the excerpt", () => {
    const source = new SourceText("stack_frame", "a.js", "one\r\ntwo\r\nthree", 10);
    expect([source.line(10), source.line(11), source.line(12), source.line(13)]).toEqual(["one", "two", "three", ""]);
    expect([source.lastLine, source.has(9), source.has(10), source.has(12), source.has(13)]).toEqual([
      12,
      false,
      true,
      true,
      false,
    ]);
  });

  it("cuts a long excerpt without splitting a character", () => {
    const source = new SourceText("error_log", "log", `a${"\ud83d\ude00".repeat(5_000)}`);
    const { excerpt } = source.quote({ start: 0, end: source.text.length });
    expect(excerpt.isWellFormed()).toBe(true);
    expect(excerpt.length).toBe(3_999);
  });
});

function isBoundary(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) !== 0xdc00 || (text.charCodeAt(at - 1) & 0xfc00) !== 0xd800;
}
