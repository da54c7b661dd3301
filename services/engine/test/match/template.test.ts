import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadSignatures } from "../../src/match/load-signatures.ts";
import { matchTemplate } from "../../src/match/match-template.ts";
import { foldCase, parseTemplate, requiredWord } from "../../src/match/template.ts";

const signatures = [...loadSignatures().values()].flat();
const match = (template: string, text: string) =>
  matchTemplate(parseTemplate(template), { text, folded: foldCase(text) });
const groups = (template: string, text: string) => match(template, text)?.groups;

describe("a template", () => {
  it("matches its words in any case, and returns where they are", () => {
    expect(match("deadlock detected", "ERROR: Deadlock Detected")).toEqual({ start: 7, end: 24, groups: {} });
  });

  it("matches whole words only", () => {
    expect(match("lock timeout", "lock timeouts")).toBeNull();
    expect(match("lock timeout", "deadlock timeout")).toBeNull();
    expect(match("*lock timeout", "deadlock timeout")).not.toBeNull();
  });

  it("takes the text in a gap, up to the first occurrence of the next words", () => {
    expect(groups("Cannot find module '{module}'", "Cannot find module './a b' or 'c'")).toEqual({ module: "./a b" });
  });

  it("takes the word before its first words, or with ^ the whole line up to them", () => {
    expect(groups("{name} is not a function", "x: a.b is not a function")).toEqual({ name: "a.b" });
    expect(groups("^{name} is not a function", "(0 , a.b) is not a function")).toEqual({ name: "(0 , a.b)" });
  });

  it("takes the word after its last words without closing punctuation, or with $ the rest of the line", () => {
    expect(groups("missing variable {name}", "missing variable PORT. Set it.")).toEqual({ name: "PORT" });
    expect(groups("missing {what}$", "missing all of it\nand more")).toEqual({ what: "all of it" });
  });

  it("takes only a name in capitals in a gap named in capitals", () => {
    expect(groups("{VARIABLE} is not set", "API_KEY is not set")).toEqual({ VARIABLE: "API_KEY" });
    expect(match("{VARIABLE} is not set", "the alarm is not set")).toBeNull();
  });

  it("requires text in a named gap, but not in one without a name", () => {
    expect(match("near '{token}'", "near ''")).toBeNull();
    expect(match("near *here", "near here")).not.toBeNull();
  });

  it("doesn't match across lines", () => {
    expect(match("begin {what} end", "begin a\nb end")).toBeNull();
  });

  it("matches only at the start with ^ and only at the end of a line with $", () => {
    expect(match("^fetch failed$", "a\nfetch failed\nb")).not.toBeNull();
    expect(match("^fetch failed$", "the fetch failed")).toBeNull();
    expect(match("^fetch failed$", "fetch failed again")).toBeNull();
  });

  it.each(["", "^", "*", "{a}", "{a}{b}", "{a}*", "^{a}$"])(
    "is rejected if it has no words or adjacent gaps: %j",
    (text) => {
      expect(() => parseTemplate(text)).toThrow(RangeError);
    },
  );

  it("tries the first 32 occurrences of its first words, and no more", () => {
    expect(match("a b {x} c", `${"a b -\n".repeat(31)}a b y c`)).not.toBeNull();
    expect(match("a b {x} c", `${"a b -\n".repeat(32)}a b y c`)).toBeNull();
  });

  it("takes up to 200 UTF-16 units in a gap", () => {
    expect(match("a {x} c", `a ${"b".repeat(198)} c`)).not.toBeNull();
    expect(match("a {x} c", `a ${"b".repeat(201)} c`)).toBeNull();
  });

  it("matches only texts that contain its required word", () => {
    const templates = signatures.flatMap(({ match: { message = [] } }) => message).map(parseTemplate);
    fc.assert(
      fc.property(fc.constantFrom(...templates), fc.string(), fc.string(), (template, before, after) => {
        const words = [template.first, ...template.rest.map(({ words: one }) => one)].join("x");
        const text = `${before} ${words}${after}`;
        const folded = foldCase(text);
        const found = matchTemplate(template, { text, folded });
        const required = requiredWord(template);
        if (found && required !== null) expect(folded.match(/[a-z0-9_]+/g)).toContain(required);
      }),
    );
  });

  it("returns a match inside the text for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "'", "c") }), (text) => {
        const found = match("a {x} b", text);
        if (found) expect(text.slice(found.start, found.end)).toMatch(/^a .+ b$/);
      }),
    );
  });
});
