import { describe, expect, it } from "vitest";
import { titleOf } from "../../src/intake/title.ts";

describe("the title of an error text", () => {
  it("is its first line that says something, without colours", () => {
    expect(titleOf("\n  \n\u001b[31mTypeError: x\u001b[39m\n    at f (a.js:1:1)")).toBe("TypeError: x");
  });

  it("keeps 200 characters and marks where a longer line was cut", () => {
    expect(titleOf("x".repeat(200))).toBe("x".repeat(200));
    expect(titleOf("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
  });

  it("says so when there is no text", () => {
    expect(titleOf(" \n\t\n")).toBe("Empty error text");
  });
});
