import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const message = "SequelizeUniqueConstraintError: Validation error: UNIQUE constraint failed: labels.title";
const frame = "Query.run (/srv/node_modules/orm/query.js:9:5)";
const parse = (body: string): string => `export function labelsOf(given) {\n${body}\n}\n`;

describe("values that are made distinct too early", () => {
  const earlyIn = async (body: string, said = message, name = "labels.js") =>
    ofKind(await signalsIn({ [name]: parse(body) }, said, frame), "early-distinct");
  const args = { code: "new Set(given)", normalizing: "toLowerCase", refused: "labels.title" };
  const early = "  const labels = [...new Set(given)];\n  return labels.map((one) => one.toLowerCase());";

  it("are named where a duplicate was refused", async () => {
    expect(await earlyIn(early)).toEqual([{ line: 2, args }]);
    expect(await earlyIn("  return Array.from(new Set(given)).map((one) => one.toLowerCase());")).toEqual([
      { line: 2, args },
    ]);
  });

  it.each([
    ["they are normalized first", "  return [...new Set(given.map((one) => one.toLowerCase()))];"],
    [
      "the variable was normalized first",
      "  given = given.map((one) => one.trim());\n  return [...new Set(given)].map((one) => one.toLowerCase());",
    ],
    ["they are made distinct again", "  return [...new Set([...new Set(given)].map((one) => one.toLowerCase()))];"],
    [
      "they are made distinct again later",
      "  const low = [...new Set(given)].map((one) => one.toLowerCase());\n  return [...new Set(low)];",
    ],
    ["nothing is normalized", "  return [...new Set(given)].map((one) => one.id);"],
  ])("aren't suspected where %s", async (_, body) => {
    expect(await earlyIn(body)).toEqual([]);
  });

  it("aren't suspected for another table or another failure", async () => {
    expect(await earlyIn(early, message.replace("labels.title", "rooms.number"))).toEqual([]);
    expect(await earlyIn(early, "Error: NOT NULL constraint failed: labels.title")).toEqual([]);
  });

  it("are found in Python", async () => {
    const log =
      'Traceback (most recent call last):\n  File "/srv/store.py", line 2, in save\n    db.executemany(sql, rows)\nsqlite3.IntegrityError: UNIQUE constraint failed: labels.title\n';
    const store = "def save(db, sql, rows):\n    db.executemany(sql, rows)\n";
    const labels = (body: string): string => `def labels_of(given):\n    return ${body}\n`;
    const found = async (body: string) =>
      ofKind((await traced(log, { "store.py": store, "labels.py": labels(body) })).signals, "early-distinct");
    expect(await found("[one.strip() for one in set(given)]")).toEqual([
      { line: 2, args: { ...args, code: "set(given)", normalizing: "strip" } },
    ]);
    expect(await found("set(one.strip() for one in given)")).toEqual([]);
  });
});
