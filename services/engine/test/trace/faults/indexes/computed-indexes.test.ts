import { describe, expect, it } from "vitest";
import { type Files, ofKind, signalsIn, traced, undefinedRead } from "../../signals-in.ts";

/** How indexes are computed in `drill`, where an element of a list is undefined. */
async function inJavaScript(body: string, use = "sizes[at]", more: Files = {}): Promise<object[]> {
  const files = {
    "drill.js": `const { position } = require('./position');\nconst sizes = ['small', 'large'];\nexports.drill = (wanted, list, offset) => {\n  ${body}\n  const drill = ${use};\n  return drill.name;\n};\n`,
    ...more,
  };
  const found = await signalsIn(files, undefinedRead("name"), "exports.drill (/srv/drill.js:6:16)");
  return ofKind(found, "computed-index").map(({ line, args }) => ({ line, ...args }));
}

const index = (how: string, code: string, use = "sizes[at]", line = 4, isSliced = false) => [
  { line, how, code, use, isSliced },
];

describe("an index that may be out of range, in JavaScript", () => {
  it.each([
    ["a search that found nothing", "const at = list.indexOf(wanted);", "not-found", "list.indexOf(wanted)"],
    [
      "a rounded share of a length",
      "const at = Math.round(offset * list.length);",
      "rounded",
      "Math.round(offset * list.length)",
    ],
    [
      "a rounded position in a list that is spelled out",
      "const at = Math.round(offset / 45);",
      "rounded",
      "Math.round(offset / 45)",
    ],
    [
      "the remainder of a difference",
      "const at = (wanted - offset) % list.length;",
      "negative-remainder",
      "(wanted - offset) % list.length",
    ],
    ["the remainder of a hash", "const hash = wanted ^ offset; const at = hash % 2;", "negative-remainder", "hash % 2"],
  ])("is found as %s", async (_, body, how, code) => {
    expect(await inJavaScript(body)).toEqual(index(how, code));
  });

  it("is found where a function returns it", async () => {
    const more = {
      "position.js":
        "exports.position = function position(list, size) {\n  return list.findIndex((one) => one > size);\n};\n",
    };
    expect(await inJavaScript("const at = position(list, wanted);", "sizes[at]", more)).toEqual(
      index("not-found", "list.findIndex((one) => one > size)", "sizes[at]", 2),
    );
    const sentinel = {
      "position.js":
        "exports.position = function position(list, size) {\n  if (!list.length) return -1;\n  return 0;\n};\n",
    };
    expect(await inJavaScript("const at = position(list, wanted);", "sizes[at]", sentinel)).toEqual(
      index("not-found", "-1", "sizes[at]", 2),
    );
  });

  it.each([
    ["it is compared", "const at = list.indexOf(wanted); if (at < 0) throw wanted;"],
    ["it is tested", "const at = list.indexOf(wanted); if (!~at) return null;"],
    ["it is replaced", "let at = list.indexOf(wanted); at += 1;"],
    ["what is sought is there", "if (!list.includes(wanted)) return null; const at = list.indexOf(wanted);"],
    ["the file writes what is sought", "const at = `${wanted}:${offset}`.indexOf(':');"],
    ["the search is compared", "if (list.indexOf(wanted) < 0) return null; const at = list.indexOf(wanted);"],
    ["it is limited", "const at = Math.min(Math.round(offset * list.length), 1);"],
    ["it goes around", "const at = Math.round(offset * list.length) % list.length;"],
    ["it is rounded down", "const at = Math.floor(offset * list.length);"],
    ["the divisor is added", "const at = (wanted - offset + list.length) % list.length;"],
    ["the remainder is made positive", "const at = ((wanted - offset) % list.length + list.length) % list.length;"],
    ["the number isn't negative", "const at = (wanted + offset) % list.length;"],
    ["the hash has no sign", "const at = (wanted ^ offset) >>> 0;"],
    ["it is compared where it is set", "let at; if ((at = list.indexOf(wanted)) < 0) return null;"],
    ["it is asserted", "const at = list.indexOf(wanted); assertFound(at);"],
    ["it is rounded to the last index", "const at = Math.round(offset * (sizes.length - 1));"],
    ["the divisor has another name", "const n = list.length; const at = (offset - 1 + n) % list.length;"],
    [
      "the end is left before it is read",
      "let at = 0; for (; at <= sizes.length; at++) if (at === sizes.length) break;",
    ],
  ])("isn't found if %s", async (_, body) => {
    expect(await inJavaScript(body)).toEqual([]);
  });

  it.each([
    ["its element is tested", "const one = sizes[list.indexOf(wanted)]; if (!one) return null;", "one.drill"],
    ["its element has a default", "const at = 0;", "sizes[list.indexOf(wanted)] ?? list"],
    ["what is sought is an element", "const at = 0;", "list.map((one) => sizes[list.indexOf(one)])[at]"],
  ])("isn't found if %s", async (_, body, use) => {
    expect(await inJavaScript(body, use)).toEqual([]);
  });

  it.each([
    ["ends at the length", "i <= sizes.length", "const one = sizes[i];", 1],
    ["ends at the length under another name", "i <= count", "const one = sizes[i];", 1],
    ["treats the end on its own", "i <= sizes.length", "const one = i < sizes.length ? sizes[i] : sizes[0];", 0],
    ["ends at the last index", "i <= last", "const one = sizes[i];", 0],
  ])("is found in a loop only if it reads past the end: it %s", async (_, condition, read, count) => {
    const text = `exports.drill = (sizes) => {\n  const count = sizes.length;\n  const last = sizes.length - 1;\n  for (let i = 0; ${condition}; i++) {\n    ${read}\n    show(one.name);\n  }\n};\n`;
    const found = await signalsIn({ "drill.js": text }, undefinedRead("name"), "exports.drill (/srv/drill.js:6:14)");
    expect(ofKind(found, "computed-index")).toHaveLength(count);
  });

  it("isn't found where it doesn't lead to the failing value", async () => {
    expect(await inJavaScript("const other = list.indexOf(wanted); list.splice(other, 1);", "sizes[offset]")).toEqual(
      [],
    );
  });
});

const java = (message: string, body: string): Promise<object[]> => {
  const log = `Exception in thread "main" ${message}\n\tat race.Rose.point(Rose.java:7)\n\tat race.Main.main(Main.java:3)\n`;
  const files = {
    "race/Rose.java": `package race;\n\nclass Rose {\n  static final String[] POINTS = points();\n  String point(int degrees, String tag, List<String> names) {\n    ${body}\n    return POINTS[at];\n  }\n}\n`,
  };
  return traced(log, files).then(({ signals }) => ofKind(signals, "computed-index"));
};
const outOfBounds = (at: number) => `java.lang.ArrayIndexOutOfBoundsException: Index ${at} out of bounds for length 8`;

describe("an index that the error shows", () => {
  it("is found where it can be that number", async () => {
    expect(await java(outOfBounds(8), "int at = Math.round(degrees / 45f);")).toMatchObject([
      { line: 6, args: { how: "rounded" } },
    ]);
    expect(await java(outOfBounds(-3), "int at = tag.hashCode() % POINTS.length;")).toMatchObject([
      { args: { how: "negative-remainder" } },
    ]);
    expect(await java(outOfBounds(-1), "int at = names.indexOf(tag);")).toMatchObject([{ args: { how: "not-found" } }]);
  });

  it("isn't found where it can't be that number", async () => {
    expect(await java(outOfBounds(9), "int at = Math.round(degrees / 45f);")).toEqual([]);
    expect(await java(outOfBounds(8), "int at = tag.hashCode() % POINTS.length;")).toEqual([]);
    expect(await java(outOfBounds(8), "int at = names.indexOf(tag);")).toEqual([]);
    expect(await java(outOfBounds(-1), "int at = degrees % POINTS.length;")).toEqual([]);
  });

  it("is found in Go", async () => {
    const panic = (said: string) =>
      `panic: runtime error: index out of range [${said}\n\ngoroutine 1 [running]:\nmain.Grade(...)\n\t/srv/grade.go:6\n`;
    const files = (at: string) => ({
      "grade.go": `package main\n\nimport "sort"\n\nfunc Grade(scale []int, score, back int) int {\n\treturn scale[${at}]\n}\n`,
    });
    const search = "sort.Search(len(scale), func(i int) bool { return scale[i] > score })";
    const how = async (said: string, at: string) =>
      ofKind((await traced(panic(said), files(at))).signals, "computed-index");
    expect(await how("8] with length 8", search)).toMatchObject([
      { args: { how: "not-found-at-end", code: search, use: "scale[…]" } },
    ]);
    expect(await how("-1]", "(score-back)%len(scale)")).toMatchObject([{ args: { how: "negative-remainder" } }]);
    expect(await how("9] with length 8", search)).toEqual([]);
    expect(await how("8] with length 8", `${search}-1`)).toEqual([]);
    expect(await how("8] with length 8", search.replace(">", ">="))).toEqual([]);
  });
});

describe("an index in Python", () => {
  const inPython = async (message: string, body: string): Promise<object[]> => {
    const log = `Traceback (most recent call last):\n  File "/srv/vane.py", line 7, in name\n    return int(text)\n${message}\n`;
    const files = {
      "vane.py": `from bisect import bisect_left\n\nNAMES = ["N", "E"]\n\ndef name(line, degrees):\n    ${body}\n    return int(text)\n`,
    };
    return ofKind((await traced(log, files)).signals, "computed-index");
  };
  const invalid = "ValueError: invalid literal for int() with base 10: '1'";

  it("is found where a slice ends at -1", async () => {
    expect(await inPython(invalid, 'text = line[: line.find("@")]')).toMatchObject([
      { line: 6, args: { how: "not-found", isSliced: true } },
    ]);
  });

  it.each([
    ["what is sought is there", 'text = line[: line.find("@")] if "@" in line else line'],
    ["no element is missing", "text = NAMES[round(degrees / 90)]"],
    ["remainders are positive", "text = NAMES[(degrees - 90) % 2]"],
  ])("isn't found if %s", async (_, body) => {
    expect(await inPython(invalid, body)).toEqual([]);
  });
});
