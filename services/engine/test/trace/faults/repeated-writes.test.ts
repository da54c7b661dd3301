import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const retry = (loop: string): string =>
  `async function retry(action) {\n  ${loop} {\n    try {\n      return await action();\n    } catch (error) {\n      await pause(error);\n    }\n  }\n}\n`;
const forever = "for (;;)";

async function repeatedIn(place: string, loop = forever, message = "duplicate key value violates unique constraint") {
  const text = `${retry(loop)}async function order(row) {\n  return await retry(() => place(row));\n}\nasync function place(row) {\n  await insert(row);\n  ${place}\n}\nasync function insert(row) {\n  await db.query(sql, row);\n}\n`;
  const frames = [
    "insert (/srv/a.js:18:12)",
    "place (/srv/a.js:14:9)",
    "/srv/a.js:11:28",
    "retry (/srv/a.js:4:20)",
    "order (/srv/a.js:11:16)",
  ];
  return ofKind(await signalsIn({ "a.js": text }, `error: ${message}`, ...frames), "repeated-write");
}

describe("a write that a retry repeats", () => {
  it.each([forever, "while (true)", "for (const attempt of range(3))", "for (let n = 0; n < 3; n++)"])(
    "is found where something after it may fail: %s",
    async (loop) => {
      const args = { code: "retry(() => place(row))", write: "insert(row)", isOnStack: true };
      expect(await repeatedIn("await pay(row);", loop)).toEqual([{ line: 11, args }]);
    },
  );

  it.each([
    ["nothing comes after it", "return row;", forever, "duplicate key value"],
    ["the loop is over rows", "await pay(row);", "for (const row of rows)", "duplicate key value"],
    ["only a log comes after it", "logger.info(row);", forever, "duplicate key value"],
    ["nothing is repeated", "await pay(row);", "if (ready)", "duplicate key value"],
    ["the error is about something else", "await pay(row);", forever, "no connection"],
    [
      "each attempt is a transaction",
      "await pay(row);",
      "for (;;) await db.transaction(async () =>",
      "duplicate key value",
    ],
  ])("isn't suspected where %s", async (_, place, loop, message) => {
    expect(await repeatedIn(place, loop, message)).toEqual([]);
  });

  it("isn't suspected where the write may be repeated", async () => {
    const text =
      "def place(db, row):\n    db.execute('INSERT INTO orders VALUES (?) ON CONFLICT DO NOTHING', row)\n    pay(row)\n\ndef order(db, row):\n    for attempt in range(3):\n        try:\n            return place(db, row)\n        except TimeoutError:\n            pause()\n";
    const log =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in order\n    return place(db, row)\n  File "/srv/a.py", line 2, in place\n    db.insert(row)\nsqlite3.IntegrityError: UNIQUE constraint failed: orders.number\n';
    expect(ofKind((await traced(log, { "a.py": text })).signals, "repeated-write")).toEqual([]);
  });

  it("is found in the function that repeats it in Python and Ruby", async () => {
    const python = {
      "a.py":
        "def place(db, row):\n    db.insert(row)\n    pay(row)\n\ndef order(db, row):\n    for attempt in range(3):\n        try:\n            return place(db, row)\n        except TimeoutError:\n            pause()\n",
    };
    const log =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in order\n    return place(db, row)\n  File "/srv/a.py", line 2, in place\n    db.insert(row)\nsqlite3.IntegrityError: UNIQUE constraint failed: orders.number\n';
    expect(ofKind((await traced(log, python)).signals, "repeated-write")).toEqual([
      { line: 8, args: { code: "place(db, row)", write: "db.insert(row)", isOnStack: true } },
    ]);
    const ruby = {
      "a.rb":
        "def place(db, row)\n  db.insert(row)\n  pay(row)\nend\n\ndef order(db, row)\n  begin\n    place(db, row)\n  rescue Timeout\n    retry\n  end\nend\n",
    };
    const { signals } = await traced(
      "/srv/a.rb:2:in `place': UNIQUE constraint failed: orders.number (SQLite3::ConstraintException)\n\tfrom /srv/a.rb:8:in `order'\n",
      ruby,
    );
    expect(ofKind(signals, "repeated-write")).toEqual([
      { line: 8, args: { code: "place(db, row)", write: "db.insert(row)", isOnStack: true } },
    ]);
  });
});
