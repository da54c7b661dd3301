import { describe, expect, it } from "vitest";
import { highlightLines, languageOf } from "../../src/lib/highlight.ts";

const textOf = (lines: Awaited<ReturnType<typeof highlightLines>>) =>
  lines.map((line) => line.map(({ text }) => text).join("")).join("\n");

describe("the language of some code", () => {
  it.each([
    ["src/cart.ts", "typescript"],
    ["cart.test.tsx", "typescript"],
    ["worker.MJS", "javascript"],
    ["app.py", "python"],
    ["Main.kt", "kotlin"],
    ["yml", "yaml"],
    ["sh", "bash"],
    ["json", "json"],
    ["rust", "rust"],
  ])("of %s is %s", (name, language) => {
    expect(languageOf(name)).toBe(language);
  });

  it("is null for any other extension", () => {
    expect(["", "notes", "a.txt", "photo.png", "constructor", "a.toString"].map(languageOf)).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });
});

describe("highlighted code", () => {
  it("has a kind for each token, and the same text", async () => {
    const code = 'const a = "b"; // c\nreturn a;';
    const lines = await highlightLines(code, "javascript");
    expect(textOf(lines)).toBe(code);
    expect(lines[0]).toContainEqual({ text: "const", kind: "keyword" });
    expect(lines[0]).toContainEqual({ text: '"b"', kind: "string" });
    expect(lines[0]).toContainEqual({ text: "// c", kind: "comment" });
    expect(lines[1]).toContainEqual({ text: "return", kind: "keyword" });
  });

  it("has each line of a multiline comment, with empty lines", async () => {
    const code = "/* one\n\n   two */\na();\n";
    const lines = await highlightLines(code, "typescript");
    expect(lines).toHaveLength(5);
    expect(textOf(lines)).toBe(code);
    expect(lines[0]).toEqual([{ text: "/* one", kind: "comment" }]);
    expect(lines[1]).toEqual([]);
    expect(lines[2]?.[0]).toEqual({ text: "   two */", kind: "comment" });
  });

  it("is plain in a language without a grammar", async () => {
    expect(await highlightLines("a\nb", "cobol")).toEqual([[{ text: "a", kind: null }], [{ text: "b", kind: null }]]);
  });
});
