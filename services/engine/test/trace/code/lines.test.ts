import { describe, expect, it } from "vitest";
import type { CodeFile } from "../../../src/trace/traced.ts";
import { traced } from "../signals-in.ts";

async function fileOf(name: string, text: string): Promise<CodeFile> {
  const { files } = await traced("Error: x\n", { [name]: text });
  const [file] = files;
  if (!file) throw new Error(`${name} wasn't read`);
  return file;
}

describe("the parameters of a function", () => {
  it.each([
    ["a.js", "function f(a, b = 1, { c }, ...rest) {}\n", ["a", "b", null, null]],
    ["a.js", "const f = a => a;\n", ["a"]],
    ["a.ts", "class A { f(a: string, b?: number) {} }\n", ["a", "b"]],
    ["a.py", "def f(a, b=1, *rest):\n    pass\n", ["a", "b", null]],
    ["a.py", "class A:\n    def f(self, a):\n        pass\n", ["a"]],
  ])("in %s are those that callers pass: %j", async (name, text, parameters) => {
    expect((await fileOf(name, text)).functions.map((one) => one.parameters)).toEqual([parameters]);
  });
});

describe("what a call passes", () => {
  it.each([
    ["a.js", 'take(a, "b, c", [d, e]);\n', 1, ["a", '"b, c"', "[d, e]"]],
    ["a.js", "new take(a);\n", 1, ["a"]],
    ["a.js", "shop\n  .find()\n  .take(a);\n", 3, ["a"]],
    ["a.js", "take(...all);\n", 1, null],
    ["a.js", "take(take(a));\n", 1, null],
    ["a.js", "take(a);\n", 2, null],
    ["a.py", "take(a, b=c)\n", 1, ["a", "c"]],
    ["a.py", "take(*all)\n", 1, null],
  ])("in %s is read where it can be told: %j", async (name, text, line, passed) => {
    expect((await fileOf(name, text)).passed(line, "take")?.map((one) => one.text) ?? null).toEqual(passed);
  });
});

describe("what becomes of a call's result", () => {
  const result = { callee: "take", isNew: false, isDropped: false, variables: [], field: null };

  it.each([
    ["a.js", "take(a);\n", { isDropped: true }],
    ["a.js", "if (a) await take(a);\n", { isDropped: true }],
    ["a.js", "const b = await take(a);\n", { variables: ["b"], field: "b" }],
    ["a.js", "b = wrap(take(a));\n", { variables: ["b"] }],
    ["a.js", "const b = { field: take(a) };\n", { field: "field" }],
    ["a.js", "this.field = take(a);\n", { field: "field" }],
    ["a.js", "const b = a.take;\n", { variables: ["b"], field: "b" }],
    ["a.js", "const b = a ? take(a) : 1;\n", { variables: ["b"] }],
    ["a.js", "show(take(a));\n", {}],
    ["a.js", "const b = new take(a);\n", { isNew: true, variables: ["b"], field: "b" }],
    ["a.js", "const all = list.map((one) => take(one));\n", {}],
    ["a.py", "take(a)\n", { isDropped: true }],
    ["a.py", "b = take(a)\n", { variables: ["b"], field: "b" }],
    ["a.py", "b = Order(field=take(a))\n", { variables: ["b"], field: "field" }],
    ["a.py", 'b = {"field": take(a)}\n', { field: "field" }],
    ["a.py", "return take(a)\n", {}],
  ])("in %s is read: %j", async (name, text, expected) => {
    expect((await fileOf(name, text)).results(1, "take")).toEqual([{ ...result, ...expected }]);
  });

  it("is that of every call on the line when none has the name", async () => {
    const file = await fileOf("a.js", "const b = first(second());\n");
    expect(file.results(1, "take").map(({ callee }) => callee)).toEqual(["first", "second"]);
  });
});

describe("the names on a line", () => {
  it.each([
    ["a.js", 'const { total } = order.parts["size"]; // comment\n', ["total", "order", "parts", "size"]],
    ["a.py", 'total = f"{order.size} text"  # comment\n', ["total", "order", "size"]],
  ])("in %s are those of code: %j", async (name, text, names) => {
    expect(new Set((await fileOf(name, text)).names(1))).toEqual(new Set(names));
  });
});

it("knows every variable that a function's parameters set", async () => {
  const { functions } = await fileOf("a.js", "function f(a, { b, c: [d] }, e = other, ...rest) {}\n");
  expect(functions[0]?.given).toEqual(["a", "b", "d", "e", "rest"]);
});
