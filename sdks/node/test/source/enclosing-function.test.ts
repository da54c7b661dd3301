import { describe, expect, it } from "vitest";
import { enclosingFunction } from "../../src/source/enclosing-function.ts";

/** Returns the lines of the function around the line that contains `// here`. */
function around(code: string, linesMax = Number.POSITIVE_INFINITY): string | undefined {
  const lines = code.split("\n");
  const index = lines.findIndex((line) => line.includes("// here"));
  const found = enclosingFunction(lines, index, ({ start, end }) => end - start < linesMax);
  return found && lines.slice(found.start, found.end + 1).join("\n");
}

const body = "\n  const first = 1;\n  use(first); // here\n}";

describe("the function around a line", () => {
  it.each([
    `function run() {${body}`,
    `export default async function run(a, b) {${body}`,
    `export async function* run<Item>(items: Item[]): AsyncGenerator<Item> {${body}`,
    `const run = async (a) => {${body}`,
    `exports.run = function () {${body}`,
    `const run: (a: string) => void = (a) => { // why${body}`,
    `export function run(\n  a: string,\n  b = {},\n): Promise<void> {${body}`,
    `export function run({\n  a,\n  b,\n}: Options = {}): string[] {${body}`,
    `function run(a)\n{${body}`,
    `function is(a): a is "x" | 'y' {${body}`,
  ])("of %s is complete", (code) => {
    expect(around(`const before = 1;\n\n${code}\n\nfunction after() {\n}`)).toBe(code);
  });

  it.each([
    "constructor(private readonly a: A) {",
    "async load(id: string): Promise<User> {",
    "static override get size() {",
    "*[Symbol.iterator]() {",
    "#secret() {",
    '"quoted name"(a) {',
    "catch(exception, host) {",
    "then = async () => {",
  ])("is a method, not its class: %s", (header) => {
    const code = `  ${header}\n    return this.a; // here\n  }`;
    expect(around(`class A extends mixin(B) {\n  a = 1;\n\n  other() {\n  }\n\n${code}\n}`)).toBe(code);
  });

  it("is the outermost one that is not too large, since a callback uses what is declared around it", () => {
    const inner = "  items.forEach((item) => {\n    if (item) {\n      use(item); // here\n    }\n  });";
    const outer = `function run() {\n  const a = 1;\n${inner}\n}`;
    expect(around(outer, 8)).toBe(outer);
    expect(around(outer, 7)).toBe(inner);
    expect(around(outer, 5)).toBe(inner);
    expect(around(outer, 4)).toBeUndefined();
  });

  it("isn't another kind of block", () => {
    for (const header of ["if (a) {", "for (const a of b) {", "while (a) {", "switch (a) {", "try {", "const a = {"]) {
      expect(around(`${header}\n  a(); // here\n}`)).toBeUndefined();
    }
    expect(around("namespace A {\n  a(); // here\n}")).toBeUndefined();
    expect(around("call(a, {\n  a: b(), // here\n});")).toBeUndefined();
  });

  it("is undefined at the top level of a file, after functions that have ended", () => {
    expect(around("function a() {\n  b();\n}\nb(); // here")).toBeUndefined();
    expect(around("function a() {\n  b();\n}\nconst list = [\n  b(), // here\n];")).toBeUndefined();
  });

  it("isn't misled by braces, quotes, and indentation in strings, templates, comments, and regular expressions", () => {
    const code = [
      "function query(name) {",
      '  const open = "{{{";',
      "  const pattern = /[{]'\"`/;",
      "  // don't { close",
      "  /* } */",
      "  const sql = `",
      "SELECT '{' FROM t",
      "    WHERE a = $" + "{ name ?? `}` }`;",
      "  const page = <p>Don't {name} stop</p>;",
      "  return run(sql, open, pattern); // here",
      "}",
    ].join("\n");
    expect(around(`${code}\n\nfunction after() {\n}`)).toBe(code);
  });

  it("is undefined where it is ambiguous: code without indentation, on one line, or truncated", () => {
    expect(around("function a() {\nif (b) {\nc(); // here\n}\n}")).toBeUndefined();
    expect(around("function a() { c(); // here }")).toBeUndefined();
    expect(around("function a() {\n  c(); // here\n")).toBeUndefined();
    expect(around(`${"x".repeat(400)} => {\n  c(); // here\n}`)).toBeUndefined();
  });

  it("takes no longer for hostile lines", () => {
    const hostile = [...Array.from({ length: 360 }, () => `${"(".repeat(140)}${"//".repeat(70)} {`), "  a(); // here"];
    const startedAt = performance.now();
    enclosingFunction(hostile, 360, () => true);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
