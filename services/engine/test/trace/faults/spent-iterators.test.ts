import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const empty = (line: number): string =>
  `Traceback (most recent call last):\n  File "/srv/pay.py", line ${line}, in report\nValueError: max() arg is an empty sequence\n`;

async function spentIn(made: string, reads: string, before = ""): Promise<object[]> {
  const text = `${before}def report(rows, verbose):\n    paid = ${made}\n${reads.replace(/^/gm, "    ")}\n    return max(paid)\n`;
  return ofKind((await traced(empty(text.split("\n").length - 1), { "pay.py": text })).signals, "spent-iterator");
}

const generator = "def amounts(rows):\n    for row in rows:\n        yield row.amount\n\n";

describe("a value whose elements can be read once", () => {
  it.each([
    ["(row.amount for row in rows)", "total = sum(paid)", ""],
    ["map(float, rows)", "total = list(paid)", ""],
    ["filter(None, rows)", "for one in paid:\n    show(one)", ""],
    ["zip(rows, rows)", "names = {name for name, _ in paid}", ""],
    ["amounts(rows)", "total = sum(paid)", generator],
    ["amounts(rows)", "show(paid)", `${generator}def show(values):\n    print(sorted(values))\n\n`],
  ])("is read twice in Python: %s, then %s", async (made, reads, before) => {
    expect(await spentIn(made, reads, before)).toHaveLength(1);
  });

  it.each([
    ["it is a list", "[row.amount for row in rows]", "total = sum(paid)"],
    ["its elements are kept", "list(map(float, rows))", "total = sum(paid)"],
    ["it is read once", "(row.amount for row in rows)", "total = len(rows)"],
    ["only some elements are read first", "(row.amount for row in rows)", "for one in paid:\n    break"],
    [
      "the function ends after the first read",
      "(row.amount for row in rows)",
      "if verbose:\n    show(sum(paid))\n    return 0",
    ],
    ["another value is made in between", "(row.amount for row in rows)", "total = sum(paid)\npaid = list(rows)"],
    ["a library of another kind makes it", "chain(rows, rows)", "total = sum(paid)"],
  ])("isn't suspected where %s", async (_, made, reads) => {
    expect(await spentIn(made, reads)).toEqual([]);
  });

  it.each([
    [
      "its own function of that name makes it",
      "filter(rows, 3)",
      "\ndef filter(rows, most):\n    return list(rows)\n",
      "paid",
    ],
    ["it isn't what was empty", "map(float, rows)", "", "rows"],
    ["a decorator makes a list of it", "amounts()", "\n@listed\ndef amounts():\n    yield 1\n", "paid"],
  ])("isn't suspected where %s", async (_, made, after, of) => {
    const text = `def report(rows):\n    paid = ${made}\n    total = sum(paid)\n    if total:\n        show(sorted(paid))\n    return max(${of})\n${after}`;
    expect(ofKind((await traced(empty(6), { "pay.py": text })).signals, "spent-iterator")).toEqual([]);
  });

  it("isn't taken for a function that only speaks of yields", async () => {
    const text =
      "def amounts(rows):\n    # Only yield what was paid.\n    def each():\n        yield 1\n    return list(each())\n\ndef report(rows):\n    paid = amounts(rows)\n    total = sum(paid)\n    return max(paid)\n";
    expect(ofKind((await traced(empty(10), { "pay.py": text })).signals, "spent-iterator")).toEqual([]);
  });

  it("isn't suspected where the branches read it once each", async () => {
    const text =
      "def report(rows, verbose):\n    paid = (row.amount for row in rows)\n    if verbose:\n        top = sum(paid)\n    else:\n        top = max(paid)\n    return top\n";
    expect(ofKind((await traced(empty(6), { "pay.py": text })).signals, "spent-iterator")).toEqual([]);
  });

  it("is empty in the second round of a loop", async () => {
    const text =
      "def report(rows, names):\n    paid = (row.amount for row in rows)\n    for name in names:\n        show(name, max(paid))\n";
    expect(ofKind((await traced(empty(4), { "pay.py": text })).signals, "spent-iterator")).toEqual([
      { line: 2, args: { code: "(row.amount for row in rows)", first: "max(paid)" } },
    ]);
  });

  it("is passed on in JavaScript from the function that returns it", async () => {
    const text = `function* rows() {\n  yield 1;\n}\nfunction open() {\n  return rows();\n}\nfunction total(all) {\n  let sum = 0;\n  for (const one of all) sum += one;\n  return sum;\n}\nfunction build(all) {\n  return { total: total(all), top: Array.from(all).reduce(higher) };\n}\nfunction main() {\n  return build(open());\n}\n`;
    const message = "TypeError: Reduce of empty array with no initial value";
    const frames = ["build (/srv/a.js:13:53)", "main (/srv/a.js:16:10)"];
    const found = async (one: string) => ofKind(await signalsIn({ "a.js": one }, message, ...frames), "spent-iterator");
    expect(await found(text)).toEqual([{ line: 5, args: { code: "rows()", first: "total(all)" } }]);
    expect(await found(text.replace("return rows();", "return [...rows()];"))).toEqual([]);
  });

  it("is a stream in Java whose error says so", async () => {
    const text = `class Recipe {\n  static int of(List<Load> loads) {\n    Stream<Load> green = loads.stream().filter(Load::isGreen);\n    long count = green.count();\n    return green.mapToInt(Load::weight).sum() / count;\n  }\n}\n`;
    const log =
      'Exception in thread "main" java.lang.IllegalStateException: stream has already been operated upon or closed\n\tat Recipe.of(Recipe.java:5)\n';
    const { signals } = await traced(log, { "Recipe.java": text });
    expect(ofKind(signals, "spent-iterator")).toEqual([
      { line: 3, args: { code: "loads.stream().filter(Load::isGreen)", first: "green.count()" } },
    ]);
  });
});
