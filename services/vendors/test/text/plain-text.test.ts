import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../../src/text/plain-text.ts";

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 500 }),
  fc.string({ unit: fc.constantFrom("\u0000", "\u001b[31m", "\r\n", "\ud800", "\u202e", "é", "💥", "a", " ") }),
);

describe("a text from outside", () => {
  it("becomes a title on one line of at most 200 characters", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const title = titleFrom(text);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(200);
        expect(title).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
    expect(titleFrom("x".repeat(200))).toBe("x".repeat(200));
    expect(titleFrom("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
    expect(titleFrom("\u0000 ", null, " the second\n one")).toBe("the second one");
  });

  it("becomes plain text without control characters except line breaks and tabs", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const plain = textFrom(text);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(plain.isWellFormed()).toBe(true);
      }),
    );
    expect(textFrom("\u001b[31mred\u001b[0m\r\n\tat a\u0000", null, "", "end")).toBe("red\n\tat a\nend");
  });

  it("becomes a text of at most 100,000 bytes, cut between characters", () => {
    expect(textFrom("x".repeat(100_000))).toHaveLength(100_000);
    expect(textFrom("x".repeat(100_001))).toHaveLength(100_000);
    expect(textFrom("x", "💥".repeat(30_000))).toBe(`x\n${"💥".repeat(24_999)}`);
  });

  it("becomes a name when it has a visible character", () => {
    expect([nameFrom(" checkout\n"), nameFrom("\u0000"), nameFrom(null)]).toEqual(["checkout", null, null]);
    expect(nameFrom("x".repeat(500))).toHaveLength(200);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "",
    "no address",
    null,
    `https://a.example/${"x".repeat(2_000)}`,
  ])("becomes no link when it isn't an address of the web: %s", (text) => {
    expect(linkFrom(text)).toBeNull();
  });

  it("becomes a link when it is an address of the web", () => {
    expect(linkFrom("https://grafana.example.com/d/1?a=b")).toBe("https://grafana.example.com/d/1?a=b");
  });
});
