import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SlicePiece } from "../../../src/trace/slice/backward-slice.ts";
import { type Files, traced } from "../signals-in.ts";

/** What a failure in the first file's line that has `FAILS` depends on, as `kind file:line`. */
async function sliceOf(files: Files): Promise<string[]> {
  return (await piecesOf(files)).map(({ file, line, kind }) => `${kind} ${file}:${line}`);
}

type PlacedPiece = SlicePiece & { readonly file: string; readonly line: number };

async function piecesOf(files: Files): Promise<PlacedPiece[]> {
  const [[file, text] = ["", ""]] = Object.entries(files);
  const line = text.split("\n").findIndex((one) => one.includes("FAILS")) + 1;
  const { slice } = await traced(logOf(file, line), files);
  return [...slice].flatMap(([source, pieces]) =>
    pieces.map((piece) => ({ ...piece, file: source.name, line: source.lineAt(piece.start) })),
  );
}

function logOf(file: string, line: number): string {
  switch (file.split(".").at(-1)) {
    case "py":
      return `Traceback (most recent call last):\n  File "/srv/${file}", line ${line}, in check\nValueError: no\n`;
    case "rb":
      return `/srv/${file}:${line}:in 'check': no (RuntimeError)\n`;
    case "go":
      return `panic: no\n\ngoroutine 1 [running]:\nmain.check(0x1)\n\t/srv/${file}:${line} +0x1d\n`;
    default:
      return `Error: no\n    at check (/srv/${file}:${line}:3)\n`;
  }
}

describe("what a failure depends on", () => {
  it("includes what the condition of a deliberate error reads", async () => {
    const slice = await sliceOf({
      "check.js": [
        "import { limitOf } from './limits.js';",
        "export function check(order) {",
        "  if (order.count > limitOf(order)) {",
        "    throw new Error('no'); // FAILS",
        "  }",
        "}",
      ].join("\n"),
      "limits.js": "export function limitOf(order) {\n  return 10;\n}",
    });
    expect(slice).toContain("condition check.js:3");
    expect(slice).toContain("result limits.js:2");
  });

  it.each([
    ["set", "seats.set(id, held);"],
    ["delete", "seats.delete(id);"],
    ["clear", "seats.clear();"],
  ])("includes what another file changes in a shared collection: %s", async (_, change) => {
    const slice = await sliceOf({
      "check.js":
        "import { seats } from './seats.js';\nexport function check(id) {\n  return seats.get(id).row; // FAILS\n}",
      "seats.js": "export const seats = new Map();",
      "release.js": `import { seats } from './seats.js';\nexport function release(id, held) {\n  ${change}\n}`,
      "other.js": "const rows = new Map();\nexport function add(id) {\n  rows.set(id, 1);\n}",
    });
    expect(slice).toContain("change release.js:3");
    expect(slice.filter((one) => one.includes("other.js"))).toEqual([]);
  });

  it.each([
    [
      "a key of a module's own",
      {
        "check.py":
          "from limits import LIMITS\n\ndef check(plan):\n    if LIMITS[plan] < 0:\n        raise ValueError('no')  # FAILS\n",
        "limits.py": "LIMITS = {}\n",
        "start.py": "import limits\n\ndef start():\n    limits.LIMITS['free'] = -1\n",
      },
      "change start.py:4",
    ],
    [
      "an element that `<<` appends",
      {
        "check.rb": "class Cart\n  def check\n    @lines.first.price # FAILS\n  end\nend\n",
        "start.rb": "class Cart\n  def start(line)\n    @lines << line\n  end\nend\n",
      },
      "change start.rb:3",
    ],
    [
      "an entry that `delete` takes out of a map",
      {
        "check.go": "package main\n\nfunc check(s *Store) int {\n\treturn s.held[0].row // FAILS\n}\n",
        "release.go": "package main\n\nfunc release(s *Store, id int) {\n\tdelete(s.held, id)\n}\n",
      },
      "change release.go:4",
    ],
  ])("includes %s", async (_, files, change) => {
    expect(await sliceOf(files)).toContain(change);
  });

  it.each([12, 13])("follows a method by its name to at most 12 that have it: %i", async (count) => {
    const plugins = Array.from({ length: count }, (_, index) => [
      `plugin${index}.js`,
      `export class Plugin${index} {\n  decode() {\n    return null;\n  }\n}`,
    ]);
    const slice = await sliceOf({
      "check.js": "export function check(plugin) {\n  return plugin.decode().row; // FAILS\n}",
      ...Object.fromEntries(plugins),
    });
    expect(slice.filter((one) => one.startsWith("named plugin"))).toHaveLength(count > 12 ? 0 : count);
  });

  it("includes every write to a field that is read, in any file", async () => {
    const slice = await sliceOf({
      "ledger.py": "def check(account):\n    if account.balance < 0:\n        raise ValueError('no')  # FAILS\n",
      "transfers.py": "def pay(account, amount):\n    account.balance -= amount\n",
      "interest.py": "def add(account):\n    account.rate = 2\n",
    });
    expect(slice).toContain("field transfers.py:2");
    expect(slice.filter((one) => one.includes("interest.py"))).toEqual([]);
  });

  it("includes the file and the folder that code names in a text", async () => {
    const slice = await sliceOf({
      "start.js": [
        "import { readFileSync, readdirSync } from 'node:fs';",
        "const rates = JSON.parse(readFileSync('config/rates.json', 'utf8'));",
        "const plans = readdirSync('plans');",
        "export function check(id) {",
        "  return rates[id].percent + plans[0].length; // FAILS",
        "}",
      ].join("\n"),
      "config/rates.json": "{}",
      "config/others.json": "{}",
      "plans/basic.js": "export const price = 1;",
    });
    expect(slice).toContain("file config/rates.json:1");
    expect(slice).toContain("file plans/basic.js:1");
    expect(slice.filter((one) => one.includes("others.json"))).toEqual([]);
  });

  it("weighs less with each dependency, and with each writer that it may be", async () => {
    const writers = (count: number): Files =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `w${index}.js`,
          `export const set = (o) => { o.size = ${index}; };`,
        ]),
      );
    const check = { "check.js": "export function check(o) {\n  const size = o.size;\n  return size.x; // FAILS\n}" };
    const strongest = async (count: number): Promise<number> => {
      const pieces = await piecesOf({ ...check, ...writers(count) });
      const fields = pieces.filter(({ kind }) => kind === "field");
      expect(fields).toHaveLength(count);
      expect(pieces.find(({ kind }) => kind === "local")?.weight).toBeGreaterThan(fields[0]?.weight ?? 1);
      return Math.max(...fields.map(({ weight }) => weight));
    };
    expect(await strongest(4)).toBeLessThan(await strongest(1));
  });

  it("leaves out a field that more than 40 places write", async () => {
    const writes = (count: number): string =>
      Array.from({ length: count }, (_, index) => `export const set${index} = (o) => { o.size = ${index}; };`).join(
        "\n",
      );
    const check = "export function check(o) {\n  return o.size.x; // FAILS\n}";
    const found = async (count: number): Promise<number> =>
      (await sliceOf({ "check.js": check, "writes.js": writes(count) })).filter((one) => one.includes("writes.js"))
        .length;
    expect(await found(40)).toBe(40);
    expect(await found(41)).toBe(0);
  });

  it("leaves out what a variable is set to that is written more than 500 times, as in generated code", async () => {
    const written = async (count: number): Promise<number> => {
      const writes = Array.from({ length: count - 1 }, (_, index) => `  size = ${index};`).join("\n");
      const code = `let size = 0;\nexport function check() {\n  return size.x; // FAILS\n}\nfunction fill() {\n${writes}\n}`;
      return (await sliceOf({ "check.js": code })).filter((one) => one.startsWith("local")).length;
    };
    expect(await written(500)).toBeGreaterThan(0);
    expect(await written(501)).toBe(0);
  });

  it.each([
    ["sqlite3.IntegrityError: UNIQUE constraint failed: tickets.number", false],
    ["sqlite3.OperationalError: database is locked", true],
  ])("includes where a connection comes from, unless a row was refused: %s", async (error, isIncluded) => {
    const log = `Traceback (most recent call last):\n  File "/srv/tickets.py", line 6, in open\n${error}\n`;
    const { slice } = await traced(log, {
      "tickets.py":
        "class Tickets:\n    def __init__(self, db):\n        self._db = db\n\n    def open(self, number):\n        self._db.execute('INSERT INTO tickets VALUES (?)', (number,))\n",
      "build.py": "from tickets import Tickets\n\ndef build():\n    return Tickets(connect(':memory:'))\n",
      "pour.py": "def pour(tickets):\n    tickets.open(32)\n",
    });
    const found = [...slice.keys()].map(({ name }) => name);
    expect(found.includes("build.py")).toBe(isIncluded);
    expect(found).toContain("pour.py");
  });

  it("leaves out what a function on the stack reads only after the line that failed", async () => {
    const files = (body: string): Files => ({
      "check.js": "export function check(row) {\n  return row.size.x; // FAILS\n}",
      "show.js": `import { check } from './check.js';\nexport function show(one) {\n${body}\n}`,
      "main.js": "import { show } from './show.js';\nshow({});",
      "fill.js": "export function fill(one) {\n  one.later = 1;\n}",
    });
    const fieldsOf = async (body: string): Promise<string[]> => {
      const log = `${logOf("check.js", 2)}    at show (/srv/show.js:4:3)\n    at /srv/main.js:2:1\n`;
      const { slice } = await traced(log, files(body));
      return [...slice.keys()].map(({ name }) => name);
    };
    expect(await fieldsOf("  log(one);\n  check(one);\n  log(one.later);")).not.toContain("fill.js");
    expect(await fieldsOf("  log(one.later);\n  check(one);\n  log(one);")).toContain("fill.js");
    const looped = "  for (const at of one) {\n    check(at);\n    log(one.later);\n  }";
    expect(await fieldsOf(looped)).toContain("fill.js");
  });

  it("ends where code depends on itself, whatever the code", async () => {
    const names = fc.constantFrom("a", "b", "c", "d");
    const statement = fc.oneof(
      fc.tuple(names, names, names).map(([x, y, z]) => `${x}.${y} = ${z}(${y});`),
      fc.tuple(names, names).map(([x, y]) => `${x}.set(${y}, ${x}.${y});`),
      fc.tuple(names, names).map(([x, y]) => `if (${x}.${y}) ${y}(${x});`),
    );
    const one = fc.tuple(names, fc.array(statement, { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), async (functions) => {
        const code = functions.map(([name, body]) => `function ${name}(x) {\n${body.join("\n")}\nreturn x.${name};\n}`);
        const pieces = await piecesOf({
          "check.js": `function check(a) {\n  return a.b(c.d); // FAILS\n}\n${code.join("\n")}`,
        });
        expect(pieces.every(({ weight, steps }) => weight > 0 && weight <= 1 && steps <= 10)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
