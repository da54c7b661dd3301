import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
import { SourceText } from "../../../src/source-text.ts";
import { locate } from "../../../src/trace/trace-error.ts";

const logs: Readonly<Record<string, string>> = {
  "a.py":
    "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\nAttributeError: 'NoneType' object has no attribute 'b'\n",
  "a.go":
    "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/srv/a.go:1 +0x1d\n",
  "a.java": 'Exception in thread "main" java.lang.NullPointerException\n\tat f.f(a.java:1)\n',
  "a.rb": "/srv/a.rb:1:in `f': undefined method `b' for nil:NilClass (NoMethodError)\n",
};
const names = Object.keys(logs);

async function look(name: string, text: string): ReturnType<typeof locate> {
  return locate(parseText(logs[name] ?? ""), null, [new SourceText("source_file", name, text)]);
}

/** What the four languages are made of, in any order. */
const words = fc.constantFrom(
  ..."a b.b b() self this @x f(a, b) ( ) [ ] { } \" ' ` : ; , . -> => = := == + / % nil None null end def func class if else for in return raise throw panic( rescue except catch lambda go defer \n é".split(
    " ",
  ),
  "\n",
  "\n  ",
);

describe("code that nobody wrote", () => {
  it.each(names)("has an answer, whatever it is: %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 60 }), async (pieces) => {
        const { clues } = await look(name, pieces.join(" "));
        expect(clues.every(({ place }) => place.source.has(place.line))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it.each(names)("is left out, and named, when it is nested deeper than 500 brackets: %s", async (name) => {
    const nested = (depth: number): string => `x = ${"(".repeat(depth)}1${")".repeat(depth)}\n`;
    expect((await look(name, nested(500))).leftOut).toEqual([]);
    expect((await look(name, nested(501))).leftOut).toEqual([expect.stringContaining("nested too deeply")]);
  });

  it.each(names)("may be one expression of thousands: %s", async (name) => {
    for (const text of [`x = a${".b".repeat(10_000)}`, `x = a${" + a.b".repeat(10_000)}`, "a.b\n".repeat(10_000)])
      expect((await look(name, text)).leftOut).toEqual([]);
  });
});
