import type { Incident } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { codeExcerpt } from "../../src/terminal/code-excerpt.ts";
import { plainJson, plainText } from "../../src/terminal/plain-text.ts";
import { reportMarkdown } from "../../src/terminal/report-markdown.ts";
import { reportText } from "../../src/terminal/report-text.ts";
import { styleFor, wrap } from "../../src/terminal/style.ts";

const failed: Incident = {
  id: "inc_1",
  organization_id: null,
  status: "failed",
  title: "Error: boom",
  severity: "high",
  trigger: { kind: "analyze", agent_id: null, files: 0 },
  service: null,
  env: null,
  fingerprint: null,
  decision: { outcome: "opened", reason: "r", rule: "asked" },
  created_at: "2026-03-01T12:00:00.000Z",
  started_at: null,
  completed_at: "2026-03-01T12:00:01.000Z",
  url: "http://a/incidents/inc_1",
  failure: { code: "WHENCE_ERR_INVESTIGATION_FAILED", message: "the investigation failed 5 times: boom" },
};

describe("an analysis that failed", () => {
  it("says why, as text and as Markdown", () => {
    const text = reportText(failed, { style: styleFor(false), columns: 80, files: [] });
    for (const shown of [text, reportMarkdown(failed)]) {
      expect(shown).toContain("failed");
      expect(shown).toContain("the investigation failed 5 times: boom");
      expect(shown).toContain("http://a/incidents/inc_1");
    }
  });
});

describe("colours", () => {
  it("are there when they are wanted, and not otherwise", () => {
    expect(styleFor(true).red("x")).toBe("\u001b[31mx\u001b[39m");
    expect(styleFor(true).red("")).toBe("");
    expect(styleFor(false).red("x")).toBe("x");
  });
});

describe("text from outside", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "�[31mred�[0m"],
    ["a\tb\r\nc\rd\n", "a    b\nc\nd\n"],
    ["\u0000\u007f\u009b\u202e\u2066x", "�����x"],
    ["äöü € 漢字 🎉", "äöü € 漢字 🎉"],
  ])("%j is shown as %j", (given, shown) => {
    expect(plainText(given)).toBe(shown);
  });

  it("is the same after JSON, without a character that a terminal acts on", () => {
    const value = { a: "\u001b\u009b\u202e\u2066é" };
    const json = plainJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
  });
});

describe("lines", () => {
  it("are broken at spaces, and longer words left whole", () => {
    expect(wrap("one two three four five", 20, "")).toBe("one two three four\nfive");
    expect(wrap(`a ${"x".repeat(30)} b`, 20, "")).toBe(`a\n${"x".repeat(30)}\nb`);
    expect(wrap("a\n\nb", 40, "  ")).toBe("  a\n\n  b");
  });
});

describe("the lines around a place", () => {
  const files = [
    { name: "src/a.js", content: Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n") },
  ];
  const at = (line: number | null, file = "src/a.js") =>
    codeExcerpt({ file, line, function: null }, files, styleFor(false));

  it("are numbered, and the place is marked", () => {
    expect(at(10)?.split("\n")).toEqual([
      "   7 │ line 7",
      "   8 │ line 8",
      "   9 │ line 9",
      "> 10 │ line 10",
      "  11 │ line 11",
      "  12 │ line 12",
    ]);
    expect(at(1)?.split("\n")).toHaveLength(4);
    expect(at(12, "/srv/src/a.js")).toContain("> 12 │");
  });

  it("are not made up", () => {
    expect(at(13)).toBeNull();
    expect(at(null)).toBeNull();
    expect(at(1, "b.js")).toBeNull();
  });
});
