import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const desk = "export function seat(row) {\n  if (!row.tableId) throw new Error('A table ID is required');\n}\n";
const message = "Error: A table ID is required";
const frame = "seat (/srv/desk.js:2:28)";

const book = (
  known = "const tableId = rows[0].id;\n    log(tableId);",
  start = "let tableId = null;",
  after = "",
): string =>
  `export function book(rows) {\n  ${start}\n  if (rows.length === 0) {\n    tableId = make();\n  } else {\n    ${known}\n  }\n  ${after}\n  save({ tableId });\n}\n`;

describe("a variable that hides the one outside", () => {
  const shadowedIn = async (text: string, said = message) =>
    ofKind(await signalsIn({ "desk.js": desk, "book.js": text }, said, frame), "shadowed-variable");

  it("is named where later code reads the outer one unset", async () => {
    const args = { variable: "tableId" };
    expect(await shadowedIn(book())).toEqual([{ line: 6, args }]);
    expect(await shadowedIn(book("let { id: tableId } = rows[0];", "let tableId;"))).toEqual([{ line: 6, args }]);
  });

  it.each([
    ["the block sets the outer one", book("tableId = rows[0].id;")],
    ["the outer one has a value before", book(undefined, "let tableId = '1';")],
    ["the outer one is set before it is read", book(undefined, undefined, "tableId = find(rows);")],
    ["the block ends the function", book("const tableId = rows[0].id;\n    return tableId;")],
    [
      "the variable belongs to a function in it",
      book("rows.map((row) => { const tableId = row.id; return tableId; });"),
    ],
    ["it has another name", book().replaceAll("tableId", "roomId")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await shadowedIn(text)).toEqual([]);
  });

  it("isn't suspected for an error about something else", async () => {
    const closed = desk.replace("!row.tableId", "!row.isOpen");
    const signals = await signalsIn({ "desk.js": closed, "book.js": book() }, "Error: The kitchen is closed", frame);
    expect(ofKind(signals, "shadowed-variable")).toEqual([]);
  });

  it("is found in Go", async () => {
    const text =
      "package main\n\nfunc book(rows []Row) {\n\tvar table *Table\n\tif len(rows) > 0 {\n\t\ttable, err := find(rows)\n\t\tlog(table, err)\n\t}\n\tprint(table.Name)\n}\n";
    const printed =
      "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.book(...)\n\t/srv/book.go:9 +0x1d\n";
    const { signals } = await traced(printed, { "book.go": text });
    expect(ofKind(signals, "shadowed-variable")).toEqual([{ line: 6, args: { variable: "table" } }]);
  });
});
