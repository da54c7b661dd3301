import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownLines, ownWordsOf } from "../../src/conversations/markdown-lines.ts";
import { askedOf } from "../../src/conversations/mention.ts";

const asked = (text: string) => askedOf("acme-whence", text);

describe("a text in Markdown", () => {
  it.each([
    ["@acme-whence", ""],
    ["@acme-whence why?", "why?"],
    ["@ACME-Whence, why does it fail?", "why does it fail?"],
    ["Hello @acme-whence: why?\r\n\r\nThanks", "Hello : why?\n\nThanks"],
    ["(@acme-whence)", "()"],
    ["Please look, @acme-whence.", "Please look, ."],
    ["- [ ] @acme-whence\n- [ ] others", "[ ] \n- [ ] others"],
    ["@acme-whence @acme-whence why", "why"],
    ["> it is broken\n\n@acme-whence is it?", "is it?"],
    ["@acme-whence see\n```\nTypeError: @acme-whence\n```", "see\n```\nTypeError: @acme-whence\n```"],
    ["@acme-whence `a` and `b`", "`a` and `b`"],
    ["an odd ` backtick\n\n@acme-whence and another `", "an odd ` backtick\n\n and another `"],
    ["- ```\n  code\n  ```\n@acme-whence why", "```\n  code\n  ```\n why"],
    ["<!-- a hint -->@acme-whence why", "why"],
    ["a paragraph\n    @acme-whence continues it", "a paragraph\n     continues it"],
    ["~~~\n```\n~~~\n@acme-whence why", "~~~\n```\n~~~\n why"],
    ["```a``` @acme-whence why", "```a```  why"],
  ])("asks in %j", (text, question) => {
    expect(asked(text)).toBe(question);
  });

  it.each([
    "",
    "acme-whence",
    "@acme",
    "@acme-whence-2 why",
    "@acme-whence/oncall",
    "@acme-whence.dev",
    "me@acme-whence",
    "@@acme-whence",
    "https://example.com/@acme-whence",
    "`@acme-whence`",
    "``a ` @acme-whence``",
    "`two\nlines @acme-whence`",
    "```\n@acme-whence\n```",
    "```\n@acme-whence",
    "````\n```\n@acme-whence\n````",
    "~~~ts\n@acme-whence\n~~~",
    "- a list\n  ```\n  @acme-whence\n  ```",
    "    @acme-whence",
    "> @acme-whence why",
    "  > @acme-whence why",
    "<!-- @acme-whence -->",
    "<!--\nMention @acme-whence",
  ])("doesn't ask in %j", (text) => {
    expect(asked(text)).toBeNull();
  });

  it("asks an account whose name contains regular expression characters", () => {
    expect(askedOf("project_1.bot+x", "@project_1.bot+x why")).toBe("why");
    expect(askedOf("project_1.bot", "@project_1xbot why")).toBeNull();
  });

  it("asks nothing when the mention is quoted, whatever is around it", () => {
    const line = fc.string().filter((text) => !/[<>`~@\r\n]/.test(text));
    fc.assert(
      fc.property(fc.array(line), line, fc.array(line), (before, quoted, after) => {
        expect(asked([...before, `> @acme-whence ${quoted}`, ...after].join("\n"))).toBeNull();
      }),
    );
  });

  it("keeps its length when what its author didn't say is blanked", () => {
    const part = fc.constantFrom("`", "``", "```", "\n", "\n\n", "> ", "    ", "<!--", "-->", "~~~", "word", " ", "- ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const lines = markdownLines(parts.join(""));
        expect(ownWordsOf(lines)).toHaveLength(lines.map(({ text }) => text).join("\n").length);
      }),
    );
  });

  it("is parsed in time, even with many backticks, quotes, and comments", () => {
    for (const part of ["`", "`` ` ", "<!-- ", "> ", "```\n", " ", "\n ", "- ", "@acme-whence"]) {
      const text = part.repeat(Math.ceil(500_000 / part.length));
      const from = performance.now();
      asked(text);
      expect(performance.now() - from).toBeLessThan(2_000);
    }
  });
});
