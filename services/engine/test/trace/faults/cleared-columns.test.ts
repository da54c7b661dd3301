import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const log =
  "Traceback (most recent call last):\n  File \"/srv/list.py\", line 3, in names\n    yield row[\"owner\"].lower()\nAttributeError: 'NoneType' object has no attribute 'lower'\n";
const list =
  'def names(db):\n    for row in db.execute("SELECT * FROM boats").fetchall():\n        yield row["owner"].lower()\n';
const retire = (statement: string): string => `def retire(db, id):\n    ${statement}\n`;

describe("a column that a statement sets to nothing", () => {
  const clearedIn = async (statement: string, reader = list) =>
    ofKind((await traced(log, { "list.py": reader, "retire.py": retire(statement) })).signals, "cleared-column");
  const args = { column: "owner", table: "boats" };

  it.each([
    ["as a literal", 'db.execute("UPDATE boats SET berth = 0, owner = NULL WHERE id = ?", (id,))'],
    ["as a bound value", 'db.execute("UPDATE boats SET owner = ? WHERE id = ?", (None, id))'],
  ])("is named where the failing code reads it, %s", async (_, statement) => {
    expect(await clearedIn(statement)).toEqual([{ line: 2, args }]);
  });

  it("is named where a constant list has the names of the columns", async () => {
    const statement =
      'for field in ("berth", "owner"):\n        db.execute("UPDATE boats SET %s = ? WHERE id = ?" % field, (None, id))';
    expect(await clearedIn(statement)).toEqual([{ line: 3, args }]);
    expect(await clearedIn(statement.replace('"owner"', '"mast"'))).toEqual([]);
  });

  it.each([
    ["the statement sets another column", 'db.execute("UPDATE boats SET berth = NULL WHERE id = ?", (id,))'],
    ["the statement sets a value", 'db.execute("UPDATE boats SET owner = ? WHERE id = ?", ("", id))'],
    ["the row is deleted", 'db.execute("DELETE FROM boats WHERE owner IS NULL")'],
    ["rows are selected by it", 'db.execute("UPDATE boats SET berth = 0 WHERE owner = NULL")'],
  ])("isn't suspected where %s", async (_, statement) => {
    expect(await clearedIn(statement)).toEqual([]);
  });

  it("isn't suspected where the value is read from no row", async () => {
    const reader = 'def names(form):\n    for row in form:\n        yield row["owner"].lower()\n';
    expect(await clearedIn('db.execute("UPDATE boats SET owner = NULL")', reader)).toEqual([]);
  });

  it("is found in JavaScript", async () => {
    const files = {
      "list.js":
        "export function names(db) {\n  const row = db.prepare('SELECT * FROM boats').get();\n  return row.owner.trim();\n}\n",
      "retire.js":
        "export function retire(db, id) {\n  db.prepare('UPDATE boats SET owner = NULL WHERE id = ?').run(id);\n}\n",
    };
    const message = "TypeError: Cannot read properties of null (reading 'trim')";
    const signals = await signalsIn(files, message, "names (/srv/list.js:3:20)");
    expect(ofKind(signals, "cleared-column")[0]).toEqual({ line: 2, args });
  });
});
