import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
import { refusedColumns } from "../../../src/trace/follow/named-columns.ts";
import { signalsIn, stepsOf, traced } from "../signals-in.ts";

const files = {
  "book.py":
    'from .codes import code_of\nfrom .names import name_of\n\ndef book(db, guest):\n    db.execute("INSERT INTO seats (name, code) VALUES (?, ?)", (name_of(guest), code_of(guest)))\n',
  "codes.py": "def code_of(guest):\n    return PREFIX + guest.key\n\nPREFIX = 'A'\n",
  "names.py": "def name_of(guest):\n    return guest.first + guest.last\n",
};
const stepsFor = async (message: string): Promise<string> => {
  const log = `Traceback (most recent call last):\n  File "/srv/book.py", line 5, in book\n    db.execute("INSERT INTO seats (name, code) VALUES (?, ?)", (name_of(guest), code_of(guest)))\n${message}\n`;
  return stepsOf((await traced(log, files)).signals).join("\n");
};

describe("a column that a database's message names", () => {
  it.each([
    "sqlite3.IntegrityError: UNIQUE constraint failed: seats.code",
    'psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "seats_code_key"',
    "pymysql.err.IntegrityError: (1062, \"Duplicate entry 'A4' for key 'seats.code'\")",
    "pymysql.err.IntegrityError: (1062, \"Duplicate entry 'A4' for key 'code'\")",
  ])("is the only one whose value is followed: %s", async (message) => {
    const steps = await stepsFor(message);
    expect(steps).toContain("codes.py");
    expect(steps).not.toContain("names.py");
  });

  it("isn't that of another statement", async () => {
    const steps = await stepsFor("sqlite3.IntegrityError: UNIQUE constraint failed: seats.room");
    expect(steps).toContain("codes.py");
    expect(steps).toContain("names.py");
  });

  it("is the one that had no value where it must have one", async () => {
    const given = {
      "book.js":
        "const { codeOf } = require('./codes');\nconst { nameOf } = require('./names');\nexports.book = function book(db, guest) {\n  db.prepare('INSERT INTO seats (name, code) VALUES (?, ?)').run(nameOf(guest), codeOf(guest));\n};\n",
      "codes.js": "exports.codeOf = function codeOf(guest) {\n  if (guest.key) return guest.key;\n};\n",
      "names.js": "exports.nameOf = function nameOf(guest) {\n  if (guest.name) return guest.name;\n};\n",
    };
    const message = "SqliteError: NOT NULL constraint failed: seats.code";
    const steps = stepsOf(await signalsIn(given, message, "book (/srv/book.js:4:62)")).join("\n");
    expect(steps).toContain("returns-nothing codes.js");
    expect(steps).not.toContain("names.js");
  });

  it.each([
    [
      'MongoServerError: E11000 duplicate key error collection: hall.seats index: code_1 dup key: { code: "A4" }',
      ["code"],
    ],
    ["IntegrityError: UNIQUE constraint failed: seats.hall, seats.code", ["hall", "code"]],
    ['NotNullViolation: null value in column "code" of relation "seats" violates not-null constraint', ["code"]],
    ["Error: Column 'code' cannot be null", ["code"]],
  ])("is read from the message: %s", (message, columns) => {
    const [exception] = parseText(`${message}\n    at book (/srv/book.js:4:8)\n`).exceptions;
    expect(exception && refusedColumns(exception)?.columns).toEqual(columns);
  });

  it("is in the document that is stored", async () => {
    const given = {
      "book.js":
        "const { codeOf } = require('./codes');\nconst { nameOf } = require('./names');\nexports.book = async function book(seats, guest) {\n  await seats.insertOne({ name: nameOf(guest), code: codeOf(guest) });\n};\n",
      "codes.js": "exports.codeOf = function codeOf(guest) {\n  return 'A' + guest.key;\n};\n",
      "names.js": "exports.nameOf = function nameOf(guest) {\n  return guest.first + guest.last;\n};\n",
    };
    const message =
      'MongoServerError: E11000 duplicate key error collection: hall.seats index: code_1 dup key: { code: "A4" }';
    const steps = stepsOf(await signalsIn(given, message, "async book (/srv/book.js:4:3)")).join("\n");
    expect(steps).toContain("codes.js");
    expect(steps).not.toContain("names.js");
  });
});
