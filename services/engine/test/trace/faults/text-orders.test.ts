import { describe, expect, it } from "vitest";
import { type Files, ofKind, traced } from "../signals-in.ts";

const log = (message: string): string =>
  `Traceback (most recent call last):\n  File "/srv/add.py", line 4, in add\n    db.execute("INSERT INTO parcels (code) VALUES (?)", (next_code(db),))\n${message}\n`;
const duplicate = "sqlite3.IntegrityError: UNIQUE constraint failed: parcels.code";

const parcels = (query: string, next: string, type = "TEXT"): Files => ({
  "add.py":
    'from codes import next_code\n\ndef add(db):\n    db.execute("INSERT INTO parcels (code) VALUES (?)", (next_code(db),))\n',
  "codes.py": `def next_code(db):\n    row = db.execute("${query}").fetchone()\n    return ${next}\n`,
  "schema.sql": `CREATE TABLE parcels (code ${type} PRIMARY KEY);\n`,
});
const byMaximum = "SELECT MAX(code) FROM parcels";
const plusOne = 'f"P{int(row[0][1:]) + 1}"';

async function found(files: Files, message = duplicate): Promise<object[]> {
  return ofKind((await traced(log(message), files)).signals, "text-order").map(({ args }) => args);
}

describe("the highest number of a column of texts", () => {
  it("is found where it is taken, if a value of the column exists already", async () => {
    expect(await found(parcels(byMaximum, plusOne))).toEqual([
      { column: "parcels.code", type: "TEXT", how: "maximum" },
    ]);
    expect(await found(parcels("SELECT code FROM parcels ORDER BY code DESC LIMIT 1", plusOne, "varchar(12)"))).toEqual(
      [{ column: "parcels.code", type: "VARCHAR", how: "order" }],
    );
  });

  it.each([
    ["the column is a number", parcels(byMaximum, plusOne, "INTEGER")],
    ["its type isn't known", parcels(byMaximum, plusOne, "")],
    ["all are equally long", parcels(byMaximum, 'f"P{int(row[0][1:]) + 1:04d}"')],
    [
      "another function makes all equally long",
      parcels(byMaximum, "code_of(int(row[0][1:]) + 1)\n\ndef code_of(number):\n    return 'P' + str(number).zfill(6)"),
    ],
    ["the query makes it a number", parcels("SELECT MAX(CAST(code AS INTEGER)) FROM parcels", plusOne)],
    ["no number is made of it", parcels(byMaximum, "row[0]")],
    ["it is of another column", parcels("SELECT MAX(label) FROM parcels", plusOne)],
    ["it is of another table", parcels("SELECT MAX(code) FROM letters", plusOne)],
    ["the order is another one", parcels("SELECT code FROM parcels ORDER BY id DESC LIMIT 1", plusOne)],
  ])("isn't it when %s", async (_, files) => {
    expect(await found(files)).toEqual([]);
  });

  it("isn't it when the row was refused for something else", async () => {
    const files = parcels(byMaximum, plusOne);
    expect(await found(files, "sqlite3.IntegrityError: NOT NULL constraint failed: parcels.code")).toEqual([]);
    expect(await found(files, "sqlite3.IntegrityError: UNIQUE constraint failed: parcels.slot")).toEqual([]);
  });

  it("is found in JavaScript", async () => {
    const files = {
      "add.js":
        "const { next } = require('./codes');\nexports.add = (db) => db.prepare('INSERT INTO parcels (code) VALUES (?)').run(next(db));\n",
      "codes.js":
        "exports.next = (db) => {\n  const { last } = db.prepare('SELECT MAX(code) AS last FROM parcels').get();\n  return `P${Number(last.slice(1)) + 1}`;\n};\n",
      "db.js": "db.exec(`CREATE TABLE parcels (id INTEGER PRIMARY KEY, code TEXT UNIQUE)`);\n",
    };
    const said = "SqliteError: UNIQUE constraint failed: parcels.code\n    at exports.add (/srv/add.js:2:75)\n";
    expect(ofKind((await traced(said, files)).signals, "text-order")).toMatchObject([{ line: 2 }]);
  });
});
