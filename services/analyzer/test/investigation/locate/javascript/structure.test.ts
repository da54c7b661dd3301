import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  enclosingFunction,
  functionNameAt,
  readStructure,
} from "../../../../src/investigation/locate/javascript/structure.ts";
import { tokenize } from "../../../../src/investigation/locate/javascript/tokens.ts";
import { SourceText } from "../../../../src/investigation/source-text.ts";

const structureOf = (text: string) => readStructure(new SourceText("source_file", "a.ts", text));
const words = (text: string): string[] => tokenize(text).map((token) => token.text);

/** The name of the function around the first token that is `here`. */
function nameAround(text: string): string | null {
  const structure = structureOf(text);
  return functionNameAt(
    structure,
    structure.tokens.findIndex((token) => token.text === "here"),
  );
}

describe("tokens", () => {
  it("leave comments out, and read strings, templates and regular expressions whole", () => {
    expect(words("a /* b */ = 'c//d' + /e[/]f/g.source; // g")).toEqual([
      "a",
      "=",
      "'c//d'",
      "+",
      "/e[/]f/g",
      ".",
      "source",
      ";",
    ]);
    expect(words("`a $" + "{b + `c$" + "{d}`} e`")).toEqual([
      "`a ",
      "${",
      "b",
      "+",
      "`c",
      "${",
      "d",
      "}",
      "`",
      "}",
      " e`",
    ]);
  });

  it("tell division from a regular expression", () => {
    expect(words("(a) / b / c")).toEqual(["(", "a", ")", "/", "b", "/", "c"]);
    expect(words("return /b/")).toEqual(["return", "/b/"]);
  });

  it("tell a condition from optional chaining", () => {
    expect(words("a?.b")).toEqual(["a", "?.", "b"]);
    expect(words("a?.1:b")).toEqual(["a", "?", ".", "1", ":", "b"]);
  });

  it("stand in order and within the text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        let last = 0;
        for (const { start, end } of tokenize(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe("TypeScript", () => {
  const plain = (text: string): string =>
    structureOf(text)
      .tokens.map((token) => token.text)
      .join(" ");

  it("loses assertions, type arguments of calls and the mark after a name", () => {
    expect(plain("f(await g() as Order[], b!.c)")).toBe("f ( await g ( ) , b . c )");
    expect(plain("post<Answer<A>, B>(url)")).toBe("post ( url )");
    expect(plain("const a = {} satisfies Partial<A>;")).toBe("const a = { } ;");
  });

  it("keeps comparisons, renamings and negations", () => {
    expect(plain("a < b && c > (d)")).toBe("a < b && c > ( d )");
    expect(plain('import { a as b, c as d } from "x";')).toBe('import { a as b , c as d } from "x" ;');
    expect(plain("if (!a.b) {}")).toBe("if ( ! a . b ) { }");
  });
});

describe("a function", () => {
  it.each([
    ["function load(a) { here }", "load"],
    ["const load = async (a) => { here };", "load"],
    ["const load = function (a) { here };", "load"],
    ["class A { async load(a, { b }) { here } }", "load"],
    ["export const api = { load: (a) => here, other() {} };", "load"],
    ["module.exports.load = function () { here }", "load"],
    ["function load<T>(a: Record<string, number>, b: T): Promise<T[]> { here }", "load"],
    ["function load() { return list.map((a) => here); }", "load"],
    ["if (a) { here }", null],
    ["load(); here", null],
  ])("is known by its name in: %s", (text, name) => {
    expect(nameAround(text)).toBe(name);
  });

  it("has its parameters in their order, types and defaults left out", () => {
    const [shape] = structureOf("function f(a: Map<string, number>, { b }, c = g(1, 2), ...d) {}").functions;
    expect(shape?.parameters).toEqual(["a", null, "c", "d"]);
  });

  it("goes on to the end of a window that does not show its end", () => {
    const structure = structureOf("function f() {\n  const a = 1;\n  here");
    expect(enclosingFunction(structure, structure.tokens.length - 1)?.name).toBe("f");
  });
});
