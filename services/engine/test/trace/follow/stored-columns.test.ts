import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";
import { type Files, stepsOf, traced } from "../signals-in.ts";

const missingAt = (line: number, code: string): string =>
  `Traceback (most recent call last):\n  File "/srv/show.py", line ${line}, in show\n    ${code}\nAttributeError: 'NoneType' object has no attribute 'strip'\n`;

/** Steps of the value that `show.py` reads in its fourth line. */
async function stepsIn(code: string, files: Files): Promise<string> {
  const show = `from .db import db\n\ndef show(db, key):\n    ${code}\n`;
  return stepsOf((await traced(missingAt(4, code), { "show.py": show, ...files })).signals).join("\n");
}

const rename = (statement: string): Files => ({
  "rename.py": `def rename(db, key, label, code):\n    ${statement}\n\ndef main(db):\n    rename(db, 4, None, "x")\n`,
});

describe("a value that a query reads", () => {
  it.each([
    'db.execute("UPDATE seats SET code = ?, label = ? WHERE id = ?", (code, label, key))',
    'db.execute("UPDATE seats SET label = :label, code = :code", {"code": code, "label": label})',
    'db.execute("UPDATE seats SET code = %s, label = %s", [code, label])',
    'db.execute(\n        "INSERT INTO seats (id, code, label)"\n        " VALUES ($1, $2, $3)", key, code, label)',
    'db.execute("INSERT INTO seats (id, label) VALUES (%(key)s, %(label)s)", {"key": key, "label": label})',
    "db.execute(f\"UPDATE seats SET label = '{label}', code = '{code}'\")",
    'db.executemany("INSERT INTO seats (label, code) VALUES (?, ?)", [(label, code)])',
  ])("is followed to what is written to its column: %s", async (statement) => {
    const steps = await stepsIn(
      'return db.execute("SELECT label FROM seats WHERE id = ?", (key,)).fetchone()["label"].strip()',
      rename(statement),
    );
    expect(steps).toMatch(/literal rename\.py:\d/);
  });

  it.each([
    ["by its position", 'return db.execute("SELECT code, label FROM seats").fetchone()[1].strip()'],
    ["by another name", 'return db.execute("SELECT label AS shown FROM seats").fetchone()["shown"].strip()'],
    ["among all", 'return db.execute("SELECT * FROM seats").fetchone()["label"].strip()'],
    ["by the cursor", 'db.execute("SELECT label FROM seats"); return db.fetchone()["label"].strip()'],
    ["in each row", 'return [row["label"].strip() for row in db.execute("SELECT * FROM seats")]'],
  ])("is found %s", async (_, code) => {
    const update = rename('db.execute("UPDATE seats SET label = ?, code = ?", (label, code))');
    expect(await stepsIn(code, update)).toContain("literal rename.py:5");
  });

  it.each([
    ["another column", "db.execute(\"UPDATE seats SET code = ?, label = 'a'\", (label, code))"],
    ["another table", 'db.execute("UPDATE halls SET label = ?", (label,))'],
  ])("isn't followed to what is written to %s", async (_, statement) => {
    const code = 'return db.execute("SELECT label FROM seats").fetchone()["label"].strip()';
    expect(await stepsIn(code, rename(statement))).not.toContain("rename.py");
  });

  it.each([
    "insert.run(key, holderOf(key))",
    "this.update.run(holderOf(key), key)",
    'db.prepare("UPDATE seats SET holder = ? WHERE id = ?").run(holderOf(key), key)',
    "db.prepare('INSERT INTO seats (id, holder) VALUES (@id, @holder)').run({ id: key, holder: holderOf(key) })",
    "db.query('INSERT INTO seats VALUES ($1, $2)', [key, holderOf(key)])",
    "sql`UPDATE seats SET holder = ${holderOf(key)} WHERE id = ${key}`",
  ])("is followed in JavaScript: %s", async (statement) => {
    const origins = await originOf({
      "show.js": `const { db } = require('./db');\n\nexports.show = function show(key) {\n  const row = db.prepare('SELECT id, holder FROM seats WHERE id = ?').get(key);\n  return row.holder.id;\n};\n`,
      "sell.js": `const insert = db.prepare('INSERT INTO seats (id, holder) VALUES (?, ?)');\nthis.update = db.prepare('UPDATE seats SET holder = ? WHERE id = ?');\nexports.sell = function sell(key) {\n  ${statement};\n};\n\nfunction holderOf(key) {\n  return undefined;\n}\n`,
      "schema.sql": "CREATE TABLE seats (id INTEGER PRIMARY KEY, holder TEXT);\n",
    });
    expect(origins).toContain("returns-nothing sell.js:8");
  });
});
