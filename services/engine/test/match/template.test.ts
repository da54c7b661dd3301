import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signatures } from "../../src/match/families.ts";
import { matchTemplate } from "../../src/match/match-template.ts";
import { foldCase, parseTemplate, requiredWord } from "../../src/match/template.ts";

const match = (template: string, text: string) =>
  matchTemplate(parseTemplate(template), { text, folded: foldCase(text) });
const groups = (template: string, text: string) => match(template, text)?.groups;

describe("a template", () => {
  it("matches its words whatever their capitals, and says where they stand", () => {
    expect(match("deadlock detected", "ERROR: Deadlock Detected")).toEqual({ start: 7, end: 24, groups: {} });
  });

  it("matches whole words only", () => {
    expect(match("lock timeout", "lock timeouts")).toBeNull();
    expect(match("lock timeout", "deadlock timeout")).toBeNull();
    expect(match("*lock timeout", "deadlock timeout")).not.toBeNull();
  });

  it("takes what stands in a gap, up to where the next words stand first", () => {
    expect(groups("Cannot find module '{module}'", "Cannot find module './a b' or 'c'")).toEqual({ module: "./a b" });
  });

  it("takes the word before its first words, or all of the line before them with ^", () => {
    expect(groups("{name} is not a function", "x: a.b is not a function")).toEqual({ name: "a.b" });
    expect(groups("^{name} is not a function", "(0 , a.b) is not a function")).toEqual({ name: "(0 , a.b)" });
  });

  it("takes the word after its last words, without the mark that ends the sentence, or the line's rest with $", () => {
    expect(groups("missing variable {name}", "missing variable PORT. Set it.")).toEqual({ name: "PORT" });
    expect(groups("missing {what}$", "missing all of it\nand more")).toEqual({ what: "all of it" });
  });

  it("takes nothing but a name in capitals in a gap whose name is in capitals", () => {
    expect(groups("{VARIABLE} is not set", "API_KEY is not set")).toEqual({ VARIABLE: "API_KEY" });
    expect(match("{VARIABLE} is not set", "the alarm is not set")).toBeNull();
  });

  it("does not take nothing in a named gap, and may in one without a name", () => {
    expect(match("near '{token}'", "near ''")).toBeNull();
    expect(match("near *here", "near here")).not.toBeNull();
  });

  it("does not reach over the end of a line", () => {
    expect(match("begin {what} end", "begin a\nb end")).toBeNull();
  });

  it("stands at the start and the end of a line when it says so", () => {
    expect(match("^fetch failed$", "a\nfetch failed\nb")).not.toBeNull();
    expect(match("^fetch failed$", "the fetch failed")).toBeNull();
    expect(match("^fetch failed$", "fetch failed again")).toBeNull();
  });

  it.each(["", "^", "*", "{a}", "{a}{b}", "{a}*", "^{a}$"])(
    "is refused when it has gaps without words between: %j",
    (text) => {
      expect(() => parseTemplate(text)).toThrow(/no words/);
    },
  );

  it("tries the first 32 places of its first words, and no further", () => {
    expect(match("a b {x} c", `${"a b -\n".repeat(31)}a b y c`)).not.toBeNull();
    expect(match("a b {x} c", `${"a b -\n".repeat(32)}a b y c`)).toBeNull();
  });

  it("takes 200 units in a gap, and no more", () => {
    expect(match("a {x} c", `a ${"b".repeat(198)} c`)).not.toBeNull();
    expect(match("a {x} c", `a ${"b".repeat(201)} c`)).toBeNull();
  });

  it("matches only texts that hold its required word", () => {
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

  it("gives a match that lies within the text, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "'", "c") }), (text) => {
        const found = match("a {x} b", text);
        if (found) expect(text.slice(found.start, found.end)).toMatch(/^a .+ b$/);
      }),
    );
  });
});

describe("the templates of the signatures", () => {
  it.each(
    signatures.map(({ id, match: { message, beside } }) => ({
      id,
      templates: [...(message ?? []), ...(beside ?? [])],
    })),
  )("of $id can be read", ({ templates }) => {
    for (const template of templates) expect(() => parseTemplate(template)).not.toThrow();
  });

  it("need a word each, unless a type or code leads to them, so that they are looked up and not all tried", () => {
    const wordless = signatures.filter(
      ({ match: { message = [], code, type } }) =>
        !code && !type && message.some((template) => requiredWord(parseTemplate(template)) === null),
    );
    expect(wordless.map(({ id }) => id)).toEqual([]);
  });
});
