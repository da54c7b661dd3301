import { hunksBetween, withHunks } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOfHunk } from "../src/prove/parts-of-hunk.ts";

const partsBetween = (from: string, to: string) => (hunksBetween(from, to, 0) ?? []).flatMap(partsOfHunk);
const linesOf = (from: string, to: string) => partsBetween(from, to).map(({ lines }) => lines);

describe("the parts of a block of lines that was exchanged", () => {
  it("are its lines, one for one, if there were as many", () => {
    expect(linesOf("a\nb\n", "c\nd\n")).toEqual([
      ["-a", "+c"],
      ["-b", "+d"],
    ]);
  });

  it("are the lines that are alike, and those between them", () => {
    const now = "  return this.key > other.key;\n";
    const before = "  if (!isVersion(other))\n    return null;\n  return this.cached > other.cached;\n";
    expect(linesOf(now, before)).toEqual([
      ["+  if (!isVersion(other))", "+    return null;"],
      ["-  return this.key > other.key;", "+  return this.cached > other.cached;"],
    ]);
    expect(linesOf(before, now)).toEqual([
      ["-  if (!isVersion(other))", "-    return null;"],
      ["-  return this.cached > other.cached;", "+  return this.key > other.key;"],
    ]);
  });

  it("is the block where no lines are alike", () => {
    expect(linesOf("one\n", "two words\nand three\n")).toEqual([["-one", "+two words", "+and three"]]);
  });

  it("are the exchange together, and each applies alone", () => {
    const line = fc.constantFrom("a b c", "a b d", "e f", "e g f", "x", "");
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
    fc.assert(
      fc.property(text, text, (from, to) => {
        const parts = partsBetween(from, to);
        expect(withHunks(from, parts)).toBe(to);
        for (const part of parts) expect(withHunks(from, [part])).not.toBeNull();
      }),
    );
  });
});
