import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declaredColumns, rowRead, rowWritten } from "../../../src/trace/code/sql.ts";

const written = (statement: string): string[] | undefined =>
  rowWritten(statement)?.columns.map(({ name, expression, placeholdersBefore }) =>
    [name, expression, placeholdersBefore].join(" "),
  );

describe("a statement in SQL", () => {
  it.each([
    ["INSERT INTO seats (id, code) VALUES (?, ?)", ["id ? 0", "code ? 1"]],
    ["insert or ignore into Seats(Code, Held) values (lower(?), now())", ["code lower(?) 0", "held now() 1"]],
    ['REPLACE INTO app."seats" ("code") VALUES (:code)', ["code :code 0"]],
    ["INSERT INTO seats VALUES ('a, b', $2)", [" 'a, b' 0", " $2 0"]],
    ["UPDATE seats SET code = ?, held = COALESCE(?, ?) WHERE id = ?", ["code ? 0", "held COALESCE(?, ?) 1"]],
    ["UPDATE `seats` SET s.code = %s", ["code %s 0"]],
  ])("says what it writes to each column: %s", (statement, columns) => {
    expect(rowWritten(statement)?.table).toBe("seats");
    expect(written(statement)).toEqual(columns);
  });

  it.each([
    "SELECT 1",
    "INSERT INTO seats SELECT * FROM old",
    "INSERT INTO seats (code) VALUES (",
    "DELETE FROM seats",
  ])("that writes no row which it shows is left out: %s", (statement) => {
    expect(rowWritten(statement)).toBeNull();
  });

  it("says which columns a query reads, by their names in the result", () => {
    const query = "SELECT s.code AS label, COUNT(*), COALESCE(SUM(cents), 0) AS total, max(nr) FROM app.seats s";
    expect(rowRead(query)).toEqual({
      table: "seats",
      columns: [
        { name: "label", column: "code", aggregate: null },
        { name: "", column: "", aggregate: null },
        { name: "total", column: "cents", aggregate: "SUM" },
        { name: "nr", column: "nr", aggregate: "MAX" },
      ],
    });
    expect(rowRead("SELECT * FROM seats")?.columns).toEqual([{ name: "*", column: "*", aggregate: null }]);
  });

  it("declares columns in an order and with types, and constraints are no columns", () => {
    const text =
      "CREATE TABLE rows (id INT);\nCREATE TABLE IF NOT EXISTS Seats (\n  id INTEGER PRIMARY KEY,\n  `code` varchar(20) NOT NULL,\n  held,\n  UNIQUE (code)\n);";
    expect(declaredColumns(text, "seats")).toEqual([
      { name: "id", type: "INTEGER" },
      { name: "code", type: "VARCHAR" },
      { name: "held", type: "" },
    ]);
    expect(declaredColumns(text, "halls")).toEqual([]);
  });

  it("may be any text", () => {
    const piece = fc.constantFrom(
      "INSERT INTO t",
      "VALUES",
      "(",
      ")",
      ",",
      "'",
      "?",
      "SELECT",
      "FROM t",
      "UPDATE t SET",
      "=",
      "a",
      " ",
      "CREATE TABLE t (",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join(" ");
        expect(() => [rowWritten(text), rowRead(text), declaredColumns(text, "t")]).not.toThrow();
      }),
    );
  });

  it.each(["(", ",", "'", "a ", "?"])("is read in little time, however it repeats %j", (unit) => {
    const started = performance.now();
    for (const start of ["INSERT INTO t VALUES (", "UPDATE t SET a = ", "SELECT ", "CREATE TABLE t ("]) {
      const text = start + unit.repeat(100_000);
      rowWritten(text);
      rowRead(text);
      declaredColumns(text, "t");
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
