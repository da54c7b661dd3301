import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";

const codeOf = (line: string): string | undefined =>
  parseText(
    `Traceback (most recent call last):\n  File "/srv/board.py", line 9, in **init**\n    ${line}\nKeyError: 'x'\n`,
  ).exceptions[0]?.frames[0]?.code;

describe("the code of a call", () => {
  it("has its underscores again where Markdown made a name bold", () => {
    expect(codeOf("self.stops = lines.**dict**[name] ** 2")).toBe("self.stops = lines.__dict__[name] ** 2");
  });

  it("keeps the stars of a text", () => {
    expect(codeOf('send("**Error** " + reply)')).toBe('send("**Error** " + reply)');
  });
});
