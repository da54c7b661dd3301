import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SqlSystem, statementShape } from "../../src/core/statement-shape.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";

describe("the shape of a statement", () => {
  it.each<[SqlSystem, string, string]>([
    [
      "postgresql",
      "SELECT * FROM users WHERE id = $1 AND name = 'O''Brien'",
      "SELECT * FROM users WHERE id = $1 AND name = ?",
    ],
    [
      "postgresql",
      'SELECT "first name", t1.a::int FROM t1 LIMIT 10 OFFSET 5e3',
      'SELECT "first name", t1.a::int FROM t1 LIMIT ? OFFSET ?',
    ],
    ["postgresql", "SELECT $$it's$$, $tag$a $$ b$tag$ -- of bob@example.com\nFROM t", "SELECT ?, ? FROM t"],
    ["postgresql", "SELECT /* user 7 */ 1, X'1F', .5, 0x1F, 1_000", "SELECT ?, X?, ?, ?, ?"],
    ["postgresql", "SELECT a[1:5] FROM t WHERE b ? 'key'", "SELECT a[?:?] FROM t WHERE b ? ?"],
    [
      "mysql",
      "INSERT INTO `order items` VALUES (1, \"it's\", 'a''b') # of bob",
      "INSERT INTO `order items` VALUES (?, ?, ?)",
    ],
    ["mysql", "SELECT 5--3, a FROM t -- of bob\nLIMIT 1", "SELECT ?--?, a FROM t LIMIT ?"],
    ["sqlite", "SELECT [a b], `c`, ?1, :name FROM t WHERE x = -7", "SELECT [a b], `c`, ??, :name FROM t WHERE x = -?"],
  ])("keeps everything but values, in %s: %s", (system, statement, shape) => {
    expect(statementShape(statement, system)).toBe(shape);
  });

  it.each<[string, string]>([
    ["a quote after a backslash, which only some settings escape", "SELECT 'a\\', 'bob'"],
    ["a text without an end", "SELECT 'bob"],
    ["a comment inside a comment", "SELECT /* a /* b */ bob */ 1"],
    ["a comment without an end", "SELECT /* bob"],
  ])("drops everything after %s", (_what, statement) => {
    for (const system of ["postgresql", "mysql", "sqlite"] as const)
      expect(statementShape(statement, system)).toMatch(/^SELECT ?\??$/);
  });

  it("uses the first 1,024 characters, and states how many are left out", () => {
    const rest = "a".repeat(sdkLimits.statementCharactersMax);
    expect(statementShape(`SELECT ${rest}`, "mysql")).toBe(`SELECT ${rest.slice(7)}… [trimmed 7 characters]`);
    expect(statementShape(`SELECT ${rest.slice(7)}`, "mysql")).toBe(`SELECT ${rest.slice(7)}`);
  });

  it("contains no part of any literal", () => {
    fc.assert(
      fc.property(fc.constantFrom(...systems), fc.array(part, { maxLength: 12 }), (system, parts) => {
        const shape = statementShape(parts.map((make) => make(system)).join(" "), system);
        expect(shape).not.toMatch(/secret|[4-9]/i);
      }),
      { numRuns: 5_000 },
    );
  });

  it("is stable: its own shape is the same", () => {
    fc.assert(
      fc.property(fc.constantFrom(...systems), fc.array(part, { maxLength: 12 }), (system, parts) => {
        const shape = statementShape(parts.map((make) => make(system)).join(" "), system);
        expect(statementShape(shape, system)).toBe(shape);
      }),
    );
  });
});

const systems = ["postgresql", "mysql", "sqlite"] as const;
type Part = (system: SqlSystem) => string;

const backslash = "\\";
/** Any text that contains the word which must not survive. */
const content = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("'", '"', backslash, "`", "$", "-", "#", "/", "*", "\n", " ", "a") }),
    fc.string(),
  )
  .map(([odd, any]) => `${odd}secret${any.replaceAll("\0", "")}secret${odd}`);

const quoteOf = (text: string, quote: string): string => quote + text.replaceAll(quote, quote + quote) + quote;
const escaped = (text: string, quote: string): string =>
  quote + text.replaceAll(backslash, backslash + backslash).replaceAll(quote, backslash + quote) + quote;
const dollarQuoted = (text: string): string => `$q$${text.replaceAll("$", "")}$q$`;

/** A literal as the system itself reads it. */
const literal: fc.Arbitrary<Part> = fc.oneof(
  content.map(
    (text): Part =>
      (system) =>
        system === "mysql" ? escaped(text, "'") : quoteOf(text, "'"),
  ),
  content.map(
    (text): Part =>
      (system) =>
        system === "mysql" ? escaped(text, '"') : `E${escaped(text, "'")}`,
  ),
  content.map(
    (text): Part =>
      (system) =>
        system === "postgresql" ? dollarQuoted(text) : quoteOf(text.replaceAll(backslash, ""), "'"),
  ),
  fc.constantFrom("4", "45.6", ".7e-8", "0x4F", "9_000", "-5", "7e9").map(
    (number): Part =>
      () =>
        number,
  ),
);
const word = fc.constantFrom("SELECT", "FROM", "t1", "a.b", "=", ",", "(", ")", "::int", '"a b"', "?", "--x\n");
const part: fc.Arbitrary<Part> = fc.oneof(
  literal,
  word.map(
    (text): Part =>
      (system) =>
        system === "mysql" ? text.replaceAll(/["-]/g, "") : text,
  ),
);
