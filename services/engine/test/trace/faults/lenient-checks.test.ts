import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

const sort =
  "import { compare } from 'versions';\nexport function newest(a, b) {\n  return compare(a.edition, b.edition);\n}\n";
const message = "TypeError: Invalid version: 2.1";
const read = (check: string, result = "{ edition: text }", then = ""): string =>
  `export function read(text) {\n  if (!${check}) {\n    throw new Error('not a version');\n  }\n  ${then}\n  return ${result};\n}\n`;

describe("a check that converts leniently", () => {
  const lenientIn = async (text: string) =>
    ofKind(
      await signalsIn({ "sort.js": sort, "read.js": text }, message, "newest (/srv/sort.js:3:10)"),
      "lenient-check",
    );

  it("is named where it passes on what the failing line reads as it was", async () => {
    expect(await lenientIn(read("semver.coerce(text)"))).toEqual([
      { line: 2, args: { check: "semver.coerce(text)", field: "edition" } },
    ]);
    expect(await lenientIn(read("parseInt(text, 10)"))).toEqual([
      { line: 2, args: { check: "parseInt(text, 10)", field: "edition" } },
    ]);
  });

  it.each([
    ["the check is strict", read("semver.valid(text)")],
    ["it passes on the converted value", read("semver.coerce(text)", "{ edition: semver.coerce(text).version }")],
    ["the variable is converted before", read("semver.coerce(text)", undefined, "text = semver.coerce(text).version;")],
    ["it passes on another field", read("semver.coerce(text)", "{ title: text }")],
    ["nothing is thrown", read("semver.coerce(text)").replace("throw new Error('not a version')", "log(text)")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await lenientIn(text)).toEqual([]);
  });
});
