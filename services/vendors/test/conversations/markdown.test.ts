import fc from "fast-check";
import { Lexer, type Token, walkTokens } from "marked";
import { describe, expect, it } from "vitest";
import { markdownOf } from "../../src/conversations/markdown.ts";
import type { MessageDocument, MessagePart } from "../../src/conversations/message-document.ts";

const lengthMax = 65_536;
const reportUrl = "https://whence.example.com/incidents/inc_1";
const link = { text: "Open the incident", url: reportUrl };

const message = (parts: readonly MessagePart[], headline = "The pool is exhausted."): MessageDocument => ({
  ...{ purpose: "answer", headline, parts, link },
});

/** Text that isn't blank. */
const visible = fc.string({ maxLength: 200 }).filter((text) => text.trim() !== "");

/** Every token of the Markdown, as GitHub's dialect reads it. */
function tokensOf(markdown: string): Token[] {
  const found: Token[] = [];
  void walkTokens(Lexer.lex(markdown, { gfm: true }), (token) => {
    found.push(token);
  });
  return found;
}

/** What isn't code: vendors look for mentions and references there. */
function textOutsideCode(markdown: string): string {
  return tokensOf(markdown)
    .filter((token) => (token.type === "text" && !("tokens" in token && token.tokens)) || token.type === "escape")
    .map((token) => ("text" in token ? String(token.text) : token.raw))
    .join("");
}

function linksOf(markdown: string): string[] {
  return tokensOf(markdown).flatMap((token) => (token.type === "link" ? [String(token.href)] : []));
}

/** Pieces that mean something to Markdown or to a vendor, and anything else. */
const piece = fc.oneof(
  fc.constantFrom(
    ...["@octocat", "@org/team", "#12", "!34", "GH-7", "ENG-123", "org/repo#5", "closes #1", "/close", "/label ~bug"],
    ...[
      "https://evil.example/x",
      "www.evil.example",
      "a@evil.example",
      "[x](https://evil.example)",
      "<https://evil.example>",
    ],
    ...[
      "![x](https://evil.example/a.png)",
      "<script>alert(1)</script>",
      "<!-- x -->",
      "&lt;",
      "&copy;",
      ":tada:",
      "$x$",
      "~~x~~",
    ],
    ...[
      "# heading",
      "## ",
      "> quote",
      "- item",
      "1. item",
      "2)",
      "---",
      "===",
      "***",
      "`",
      "``",
      "```",
      "~~~",
      "| a | b |",
    ],
    ...[
      "|---|---|",
      "[x]: https://evil.example",
      "[^1]",
      "[[wiki]]",
      "\\",
      "\\`",
      "**bold**",
      "_em_",
      "\n",
      "\n\n",
      "\r",
      "    ",
    ],
    ...[
      "\u202e",
      "\u200b",
      "\u2028",
      "\u0000",
      "$(id)",
      "{{7*7}}",
      "%5",
      "&12",
      "[ ]",
      "[x]",
      "deadbeefcafe1",
      "*iteration:x",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const hostile = fc.array(piece, { maxLength: 12 }).chain((parts) => fc.constantFrom(parts.join(" "), parts.join("")));
const part: fc.Arbitrary<MessagePart> = fc.oneof(
  fc.record({ kind: fc.constant("paragraph"), label: fc.option(hostile), text: hostile }),
  fc.record({ kind: fc.constant("steps"), label: hostile, steps: fc.array(hostile, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant("quote"), text: hostile, source: hostile, url: fc.constant(null) }),
  fc.record({ kind: fc.constant("facts"), facts: fc.array(hostile, { maxLength: 4 }) }),
);
const hostileMessage = fc
  .tuple(hostile, fc.array(part, { maxLength: 5 }))
  .map(([headline, parts]) => message(parts, headline));

describe("a message from hostile texts", () => {
  it("has no link but its own, no HTML, no image, no heading, and no table", () => {
    fc.assert(
      fc.property(hostileMessage, (one) => {
        const markdown = markdownOf(one, lengthMax);
        const types = new Set(tokensOf(markdown).map(({ type }) => type));
        for (const type of ["html", "image", "heading", "table", "def", "del", "hr", "em"])
          expect([...types]).not.toContain(type);
        expect(linksOf(markdown)).toEqual([reportUrl]);
      }),
      { numRuns: 500 },
    );
  });

  it("mentions no one, and refers to nothing at a vendor", () => {
    fc.assert(
      fc.property(hostileMessage, (one) => {
        const text = textOutsideCode(markdownOf(one, lengthMax));
        expect(text).not.toMatch(/[@#!~$&%*^]\w|[A-Za-z]-\d|:\/\/|\bwww\.|:\w+:|\w\/\w/);
      }),
      { numRuns: 500 },
    );
  });

  it("begins no line with a command", () => {
    fc.assert(
      fc.property(hostileMessage, (one) => {
        expect(markdownOf(one, lengthMax)).not.toMatch(/^\s*\/\w/m);
      }),
    );
  });

  it("is never longer than allowed, and stays harmless when it is truncated", () => {
    fc.assert(
      fc.property(hostileMessage, fc.integer({ min: 0, max: 600 }), (one, length) => {
        const markdown = markdownOf(one, length);
        expect(markdown.length).toBeLessThanOrEqual(length);
        expect(linksOf(markdown).filter((href) => href !== reportUrl)).toEqual([]);
        expect(tokensOf(markdown).map(({ type }) => type)).not.toContain("html");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a message as Markdown", () => {
  it("has the headline first, each part in its place, and the link last", () => {
    const markdown = markdownOf(
      message([
        { kind: "paragraph", label: "Error", text: "PoolTimeoutError: 4 of 4 in use" },
        { kind: "steps", label: "How it happened", steps: ["stock.ts:5 keeps its connection", "the pool runs dry"] },
        { kind: "quote", text: "const a = 1;\n```\n/close", source: "stock.ts", url: "https://git.example/a(b)" },
        { kind: "facts", facts: ["orders", "PROD", "since 2026-03-01 12:00:00 UTC"] },
      ]),
      lengthMax,
    );
    expect(markdown).toBe(`**The pool is exhausted.**

**Error:** PoolTimeoutError: 4 of 4 in use

**How it happened:**

1. \`stock.ts:5\` keeps its connection
2. the pool runs dry

> \`\`\`\`
> const a = 1;
> \`\`\`
> /close
> \`\`\`\`
>
> — [\`stock.ts\`](https://git.example/a%28b%29)

orders · PROD · since 2026-03-01 12:00:00 UTC

[Open the incident](${reportUrl})`);
  });

  it("leaves out the last parts when they don't fit, and says so", () => {
    const long = message([
      { kind: "paragraph", label: null, text: "first" },
      { kind: "paragraph", label: null, text: "second ".repeat(200) },
    ]);
    const markdown = markdownOf(long, 400);
    expect(markdown).toContain("first");
    expect(markdown).not.toContain("second");
    expect(markdown).toContain("The rest doesn't fit here; it is in the report.");
    expect(linksOf(markdown)).toEqual([reportUrl]);
  });

  it("links only to the web", () => {
    const parts: MessagePart[] = [{ kind: "quote", text: "x", source: "log", url: "javascript:alert(1)" }];
    expect(
      linksOf(markdownOf({ ...message(parts), link: { text: "Open", url: "data:text/html,x" } }, lengthMax)),
    ).toEqual([]);
  });

  it("keeps quotes verbatim", () => {
    fc.assert(
      fc.property(visible, (text) => {
        const markdown = markdownOf(message([{ kind: "quote", text, source: "log", url: null }]), lengthMax);
        const code = tokensOf(markdown).find(({ type }) => type === "code");
        expect(code && "text" in code ? code.text : null).toBe(text);
      }),
    );
  });
});
