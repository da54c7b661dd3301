import { describe, expect, it } from "vitest";
import { testsIn } from "../src/watch/node/test-runs.ts";

/** Returns what follows the beginning of each test's code on its line. */
const codeOf = (code: string): string[] => {
  const lines = code.split("\n");
  return testsIn(lines).map(({ line, column }) => lines[line]?.slice(column) ?? "");
};

describe("the tests in a script", () => {
  it.each([
    ["a title in quotes", `it("adds, (and more)", () => check());`],
    ["a title that is put together", `test(JSON.stringify(input) + " is " + (one, two), () => check());`],
    ["a function", `specify('adds', async function () { check());`],
    ["options", `test("adds", { timeout: 1_000 }, async () => check());`],
    ["Vitest's imports", `(0, __vi_import_0__.it)("adds", () => check());`],
    ["modifiers", `(0, vitest.test).only.skip(name, t => check());`],
    ["rows", `it.each([[1, "a)"], [f(2), 'b']])("adds %d", (one, other) => check());`],
    ["rows over lines", `(0, vitest.it).each([\n  [1],\n])(\n  "adds %d",\n  (one) => check());`],
    ["a table", "test.each`\n  a | b\n  ${1} | ${2}\n`('adds $a', ({ a }) => check());"],
  ])("are found by %s", (_, code) => {
    expect(codeOf(`${code}\n`)).toEqual(["check());"]);
  });

  it.each([
    ["of", `it("adds", () => {\n  for (const [one, other] of cases) check();\n});`],
    ["in", `it("adds", function () { for (const key in cases) check(); });`],
    ["that waits", `it("adds", async () => {\n  for await (const { one } of cases) check();\n});`],
  ])("begin with what a loop runs through: %s", (_, code) => {
    expect(codeOf(`${code}\n`)).toEqual([expect.stringMatching(/^cases\) check/)]);
  });

  it("aren't what only looks like one", () => {
    expect(codeOf(`if (/a/.test(text)) list.map((it) => it(1, 2));\nsplit("it(", () => check());\n`)).toEqual([]);
  });

  it.each([
    "it(",
    "it.",
    "it.each(",
    "it.each((a)",
    "it(`",
    'it("',
    "it((",
    'it("a", function ',
    'it("a", {',
    'it("a", (a,',
    "it.each\n",
  ])("are looked for in %j over and over without going back far", (unit) => {
    expect(codeOf(unit.repeat(100_000 / unit.length))).toEqual([]);
  });

  it("aren't looked for in a script that is too large", () => {
    expect(codeOf(`${" ".repeat(1_000_000)}it("adds", () => check());`)).toEqual([]);
  });
});
