import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const failing = (code: string, read: string): Record<string, string> => ({
  "pages.py": `def list_pages(settings, args):\n    limit = ${read}\n    if ${code}:\n        return limit\n`,
});
const logOf = (code: string): string =>
  `Traceback (most recent call last):\n  File "/srv/pages.py", line 3, in list_pages\n    if ${code}:\nTypeError: '>' not supported between instances of 'str' and 'int'\n`;
const code = "limit > 10";

describe("a setting that is declared as text", () => {
  const mistypedIn = async (text: string, read = 'settings.get("pages", "page_limit")') =>
    ofKind((await traced(logOf(code), { ...failing(code, read), "config.py": text })).signals, "mistyped-setting");
  const schema = (type: string, name = "page_limit"): string =>
    `SCHEMA = [\n    ("page_size", {"value": "20", "type": int}),\n    ("${name}", {"value": "100", "type": ${type}}),\n]\n`;

  it("is named where the failing code uses it as a number", async () => {
    const args = { setting: "page_limit", declared: "str", code };
    expect(await mistypedIn(schema("str"))).toEqual([{ line: 3, args }]);
    const table = 'SCHEMA = {\n    "page_size": {"type": int},\n    "page_limit": {"type": str},\n}\n';
    expect(await mistypedIn(table)).toEqual([{ line: 3, args }]);
    expect(await mistypedIn('OPTIONS = {"page_limit": Option(default="100", cast=str)}\n')).toEqual([
      { line: 1, args },
    ]);
  });

  it("is named where an option of the command line has no type", async () => {
    const options = (rest: string): string =>
      `import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--page-limit"${rest})\n`;
    const args = { setting: "page_limit", declared: null, code };
    expect(await mistypedIn(options(', default="100"'), "args.page_limit")).toEqual([{ line: 4, args }]);
    expect(await mistypedIn(options(", type=int"), "args.page_limit")).toEqual([]);
    expect(await mistypedIn(options(', action="store_true"'), "args.page_limit")).toEqual([]);
  });

  it.each([
    ["it is declared as a number", schema("int")],
    ["it is converted by a function of its own", schema("positive_int")],
    ["another setting is declared as text", schema("str", "page_title")],
    ["nothing declares it", "VALUES = {}\n"],
    ["many places declare it", [1, 2, 3].map(() => schema("str")).join("\n")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await mistypedIn(text)).toEqual([]);
  });

  it("isn't suspected where the value isn't read from it", async () => {
    expect(await mistypedIn(schema("str"), "settings.pages")).toEqual([]);
  });
});
