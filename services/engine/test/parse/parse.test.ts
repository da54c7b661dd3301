import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

describe("the output of Node.js", () => {
  it("is quoted with the lines on which it was printed", () => {
    const text = "starting\nTypeError: x is not a function\n    at run (/srv/a.js:1:2)\ndone\n";
    const [error] = parseText(text).exceptions;
    expect(text.slice(error?.printed.start, error?.printed.end)).toBe(
      "TypeError: x is not a function\n    at run (/srv/a.js:1:2)",
    );
  });
});

describe("a message of pytest as long as a text may be", () => {
  it("is parsed", () => {
    const text = `E   Traceback (most recent call last):\n${"E  x\n".repeat(200_000)}E   KeyError: 'a'\n`;
    expect(parseText(text).sources).toHaveLength(1);
  });
});

describe("a text without an error", () => {
  it("is represented by its most telling line, and reported as unread", () => {
    const parsed = parseText("hello\nconnection refused by db-1\nbye");
    expect(parsed.headline).toBe("connection refused by db-1");
    expect(parsed.unread).toEqual([{ kind: "unknown-format", lines: 3 }]);
  });

  it("isn't taken for a stack when its prose contains `at`", () => {
    expect(parseText("We met\n   at noon\n   at the usual place (room 5)\n").exceptions).toEqual([]);
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(
      "\n",
      "    at f (/a.js:1:2)",
      "    at async g (file:///b.mjs:3:4) {",
      "Error: x",
      "TypeError [CODE]: y",
      "  [cause]: Error: z",
      "  [errors]: [",
      "}",
      "  code: 'A',",
      "    ^",
      "/a.js:1",
      '{"err":{"stack":"Error: q\\n    at h (c.js:1:1)"}}',
      "caused by: Error: w",
      "\u001b[31m",
      "Node.js v22",
    ),
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("\n"));

  it("is parsed without an error, into ranges within it and causes after what they caused", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { exceptions, chain } = parseText(text);
        for (const [index, { printed, source, parent, frames }] of exceptions.entries()) {
          expect(printed.start).toBeGreaterThanOrEqual(0);
          expect(printed.end).toBeLessThanOrEqual(source.text.length);
          expect(printed.start).toBeLessThanOrEqual(printed.end);
          expect(parent ?? -1).toBeLessThan(index);
          for (const frame of frames) expect(frame.printed?.end ?? 0).toBeLessThanOrEqual(source.text.length);
        }
        expect(chain.every((index) => exceptions[index] !== undefined)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
