import { describe, expect, it } from "vitest";
import { discussionText } from "../../src/conversations/discussion-text.ts";
import { severityOfLabels } from "../../src/conversations/label-severity.ts";

const at = "2026-03-01T12:00:00.000Z";
const said = (text: string, author = "alice") => ({ author, at, text });
const leftOut = "(earlier comments were left out)";

describe("the text of a discussion", () => {
  it("is its beginning, followed by who wrote what, without fences and hidden comments", () => {
    const opening = "<!-- Fill in -->Orders fail:\r\n```\nTypeError: x\n    at f (a.js:1:2)\n```\n";
    expect(discussionText(opening, [said("since `noon`"), said("", "bob")], true)).toBe(
      [
        "Orders fail:\nTypeError: x\n    at f (a.js:1:2)",
        `alice wrote at ${at}:\nsince \`noon\``,
        `bob wrote at ${at}:\n`,
      ].join("\n\n"),
    );
    expect(discussionText("", [], true)).toBe("");
  });

  it("keeps the beginning and the newest when there is too much, and says so", () => {
    const replies = Array.from({ length: 30 }, (_, index) => said(`${index} ${"é".repeat(4_000)}`));
    const text = discussionText("It fails", replies, true);
    expect(text.startsWith(`It fails\n\n${leftOut}\n\nalice wrote at ${at}:\n18 `)).toBe(true);
    expect(text).toContain("\n29 ");
    expect(Buffer.byteLength(text)).toBeLessThan(101_000);
    expect(discussionText("It fails", [said("a")], false)).toContain(leftOut);
  });

  it("leaves room for others next to a very long statement, and cuts no character in two", () => {
    const text = discussionText("é".repeat(100_000), [said("the newest")], true);
    expect(text).toContain("the newest");
    expect(text).not.toContain("\u{fffd}");
  });
});

describe("the labels of an issue", () => {
  it.each([
    [["bug", "severity: high"], "high"],
    [["severity::critical"], "critical"],
    [["Priority/P2"], "high"],
    [["sev-3"], "medium"],
    [["severity::4"], "low"],
    [["P1"], "critical"],
    [["critical"], "critical"],
    [["minor", "error handling", "page", "low hanging fruit", "notice"], null],
    [["severity: unknown"], null],
    [[], null],
  ])("%j name the severity %s", (labels, severity) => {
    expect(severityOfLabels(labels)).toBe(severity);
  });
});
