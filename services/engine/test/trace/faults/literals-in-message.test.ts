import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

describe("a value from the error", () => {
  it("is named where a file contains it", async () => {
    const files = { "config.yml": "db:\n  port: 5433\n" };
    const log =
      "Error: connect ECONNREFUSED 127.0.0.1:5433\n    at f (node:net:1:1) {\n  code: 'ECONNREFUSED',\n  port: 5433\n}\n";
    expect(ofKind((await traced(log, files)).signals, "literal-in-message")).toEqual([
      { line: 2, args: { value: "5433", isLiteral: true } },
    ]);
  });

  it("isn't the encoding that Python was asked for", async () => {
    const files = {
      "notes.py": "from pathlib import Path\n\nPath('a').write_text('x', encoding='utf-8')\n",
      "search.py": "for line in open('b'):\n    print(line)\n",
    };
    const log =
      "Traceback (most recent call last):\n  File \"search.py\", line 1, in <module>\n    for line in open('b'):\n" +
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position 72: invalid continuation byte\n";
    expect(ofKind((await traced(log, files)).signals, "literal-in-message")).toEqual([]);
  });

  describe("in quotes", () => {
    const isLiteral = async (line: string): Promise<unknown> => {
      const log = "Error: no host 'db.internal'\n    at f (node:net:1:1)\n";
      const found = ofKind((await traced(log, { "notes.txt": line })).signals, "literal-in-message");
      return found.map(({ args }) => args);
    };
    const said = (is: boolean) => [{ value: "db.internal", isLiteral: is }];

    it.each([
      ['don\'t use "db.internal"', true],
      ["'it\\'s db.internal'", true],
      ["\\'db.internal'", true],
      ["'a' db.internal 'b'", false],
      ['"db.internal', false],
    ])("is %s: %s", async (line, is) => {
      expect(await isLiteral(line)).toEqual(said(is));
    });

    // Time quadratic in this length would be a quarter of an hour.
    it("is found in a line of 1 MiB of escaped quotes", async () => {
      expect(await isLiteral(`${"\\'".repeat(512 * 1_024)} "db.internal"`)).toEqual(said(true));
    });
  });
});
