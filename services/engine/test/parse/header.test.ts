import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

describe("an error whose class a library names otherwise", () => {
  it.each([
    ["Function [ImmutableError]: cannot change a sealed ledger", "ImmutableError", "cannot change a sealed ledger"],
    ["Object [RetryError]: gave up after 3 attempts", "RetryError", "gave up after 3 attempts"],
  ])("keeps its message: %s", (line, type, message) => {
    const text = `${line}\n    at seal (/app/src/ledger.js:4:9)\n    at run (/app/src/main.js:2:1)\n`;
    expect(parseText(text).exceptions).toMatchObject([{ type, message }]);
  });
});
