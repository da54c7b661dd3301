import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffOfHunks, hunksBetween, withDiff, withHunks } from "../src/index.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "{", "}", "-", "+", ""), { maxLength: 12 })
  .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`, lines.join("\r\n")));

const between = (from: string, to: string, context: number) => hunksBetween(from, to, context) ?? [];
/** Texts that differ in so many lines: half are removed, half added. */
const apart = (lines: number): readonly [string, string] => ["a\n".repeat(lines / 2), "b\n".repeat(lines / 2)];

describe("the hunks between two texts", () => {
  it("turn one into the other, together or as a diff", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 3 }), (from, to, context) => {
        const hunks = hunksBetween(from, to, context) ?? [];
        expect(withHunks(from, hunks)).toBe(to);
        if (hunks.length > 0) expect(withDiff(from, diffOfHunks("src/a.js", hunks))).toBe(to);
      }),
    );
  });

  it("can be applied each alone", () => {
    const [first, second] = between("1\n2\n3\n4\n5\n", "1\nb\n3\n4\n5\n6\n", 0);
    expect(withHunks("1\n2\n3\n4\n5\n", first ? [first] : [])).toBe("1\nb\n3\n4\n5\n");
    expect(withHunks("1\n2\n3\n4\n5\n", second ? [second] : [])).toBe("1\n2\n3\n4\n5\n6\n");
  });

  it("aren't known where more than 1,000 lines differ", () => {
    expect(hunksBetween(...apart(1_000), 0)).toHaveLength(1);
    expect(hunksBetween(...apart(1_002), 0)).toBeNull();
  });

  it("don't apply to a text without their lines", () => {
    expect(withHunks("other\n", between("one\n", "two\n", 0))).toBeNull();
  });

  it("are the diff of a file that git reads", () => {
    const diff = diffOfHunks("src/a.js", between("one\n", "two\n", 3));
    expect(diff).toBe("--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,1 @@\n-one\n+two\n");
  });
});
