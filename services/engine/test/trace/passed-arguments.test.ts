import { describe, expect, it } from "vitest";
import type { CodeFile } from "../../src/trace/traced.ts";
import { traced } from "./signals-in.ts";

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
