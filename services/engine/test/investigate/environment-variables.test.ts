import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { investigated, textSubject } from "../investigated.ts";
import { eventSubject, exception, foreignFrame, frameAt, type Program, reportedEvent } from "../reported-event.ts";

describe("a value from the environment", () => {
  const program: Program = {
    "/srv/payments/src/receipt.ts": `import { createHmac } from "node:crypto";
import { settings } from "./settings.ts";

export function sign(text) {
  return createHmac("sha256", settings.receiptKey).update(text).digest("hex");
}
`,
    "/srv/payments/src/settings.ts": `export const settings = {
  port: Number(process.env.PORT ?? 8080),
  receiptKey: process.env.RECEIPT_KEY,
};
`,
  };
  const message =
    'The "key" argument must be of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey. Received undefined';
  const frames = [
    foreignFrame("node:crypto", 151, "createHmac"),
    frameAt(program, "/srv/payments/src/receipt.ts", 'createHmac("sha256"', "sign"),
  ];
  const reported = (variables?: string[], files = program): InvestigationSubject => {
    const event = reportedEvent({ exceptions: [exception("TypeError", message, frames)] });
    const subject = eventSubject({ ...event, ...(variables && { environment_variables: variables }) }, "payments");
    if (subject.input.kind !== "event") throw new Error("no event");
    const given = Object.entries(files).map(([name, content]) => ({
      name,
      path: name,
      content,
      version: "uploaded for 1.4.2",
    }));
    return { ...subject, input: { ...subject.input, files: given } };
  };

  it("is said to be missing when the process ran without the variable", async () => {
    const { report } = await investigated(reported(["PATH", "PORT"]));
    expect(report.root_cause.location?.file).toBe("/srv/payments/src/settings.ts");
    expect(report.root_cause_summary).toContain("`RECEIPT_KEY`, which isn't set");
    expect(report.confidence.score).toBeGreaterThan(0.6);
    expect(report.short_term_solutions.map(({ title }) => title)).toContain("Set `RECEIPT_KEY`");
  });

  it("isn't where a missing value comes from when the variable was set", async () => {
    const { report } = await investigated(reported(["PATH", "PORT", "RECEIPT_KEY"]));
    expect(JSON.stringify(report.chain)).not.toContain("environment variable");
    expect(report.short_term_solutions.map(({ title }) => title)).not.toContain("Set `RECEIPT_KEY`");
  });

  it("is the fallback when the variable wasn't set", async () => {
    const file = "/srv/payments/src/settings.ts";
    const text = (program[file] ?? "").replace("env.RECEIPT_KEY", "env.RECEIPT_KEY ?? undefined");
    const withFallback = { ...program, [file]: text };
    const { report } = await investigated(reported(["PATH"], withFallback));
    expect(report.root_cause.location).toMatchObject({ file, line: 3 });
    expect(JSON.stringify(report.chain)).not.toContain("environment variable");
  });
});

describe("a data file whose path is a setting", () => {
  const program: Program = {
    "/srv/catalog/src/settings.ts": `import { join } from "node:path";

export const settings = { stations: process.env.STATIONS_FILE ?? join(import.meta.dirname, "stations.json") };
`,
    "/srv/catalog/src/stations.ts": `import { readFile } from "node:fs/promises";
import { settings } from "./settings.ts";

export async function readStations() {
  return JSON.parse(await readFile(settings.stations, "utf8"));
}
`,
    "/srv/catalog/src/stations.json": '[{ "id": "north" }]',
  };
  const frames = [frameAt(program, "/srv/catalog/src/stations.ts", "JSON.parse", "readStations")];
  const message = "Unterminated string in JSON at position 46 (line 2 column 45)";

  it.each([
    ["set", ["PATH", "STATIONS_FILE"]],
    ["not set", ["PATH"]],
  ])("is the cause when its text couldn't be parsed, though the uploaded one can: %s", async (_, variables) => {
    const event = {
      ...reportedEvent({ exceptions: [exception("SyntaxError", message, frames)] }),
      environment_variables: variables,
    };
    const subject = eventSubject(event, "catalog");
    if (subject.input.kind !== "event") throw new Error("no event");
    const files = Object.entries(program).map(([path, content]) => ({
      name: path,
      path,
      content,
      version: "uploaded for 1.4.2",
    }));
    const { report } = await investigated({ ...subject, input: { ...subject.input, files } });
    expect(report.root_cause.location?.file).toBe("/srv/catalog/src/stations.json");
  });
});

describe("a variable whose reading would have failed if it weren't set", () => {
  const traceback = (frames: readonly string[], error: string): string =>
    ["Traceback (most recent call last):", ...frames, error, ""].join("\n");

  it("isn't said to be missing when its text can't be read", async () => {
    const program = `import os

WORKERS = os.environ["WORKERS"]


def start():
    return [spawn(index) for index in range(int(WORKERS))]
`;
    const frames = [
      '  File "/srv/pool/main.py", line 7, in start',
      "    return [spawn(index) for index in range(int(WORKERS))]",
    ];
    const log = traceback(frames, "ValueError: invalid literal for int() with base 10: 'four'");
    const { report } = await investigated(textSubject(log, { "pool/main.py": program }));
    expect(report.root_cause).toMatchObject({ category: "bad-config", location: { file: "pool/main.py", line: 3 } });
    expect(report.short_term_solutions[0]?.title).toBe("Check the value of `WORKERS`");
    expect(JSON.stringify(report)).not.toMatch(/isn't set|missing or empty|Set `WORKERS`/);
  });

  it("doesn't make a failure one of settings after a call has accepted it", async () => {
    const files = {
      "desk/main.py": `import os
import sqlite3

from desk.cards import Cards, Counter

db = sqlite3.connect(os.environ["LIBRARY_DB"])
cards = Cards(Counter(db), db)
cards.issue("ada")
`,
      "desk/cards.py": `class Counter:
    def __init__(self, db):
        self._db = db

    def next(self):
        (last,) = self._db.execute("SELECT MAX(number) FROM cards").fetchone()
        return last


class Cards:
    def __init__(self, counter, db):
        self._counter = counter
        self._db = db

    def issue(self, reader):
        number = self._counter.next()
        self._db.execute("INSERT INTO cards VALUES (?, ?)", (number, reader))
`,
    };
    const frames = [
      '  File "/srv/desk/main.py", line 8, in <module>',
      '    cards.issue("ada")',
      '  File "/srv/desk/cards.py", line 17, in issue',
      '    self._db.execute("INSERT INTO cards VALUES (?, ?)", (number, reader))',
    ];
    const log = traceback(frames, "sqlite3.IntegrityError: UNIQUE constraint failed: cards.number");
    const { report } = await investigated(textSubject(log, files));
    expect(JSON.stringify(report)).toContain("`LIBRARY_DB`");
    // What the constructor is called with is handed on by the line between.
    const { support = [] } = report.candidates.find(({ statement }) => statement.includes("`LIBRARY_DB`")) ?? {};
    expect(support[1]).toMatch(/^`desk\/main\.py:7` passes /);
    expect(support[2]).toContain("is called with");
    // Nor one of the schema, though a query gave what was written: the row is as it should be.
    const categories = new Set([report.root_cause, ...report.candidates].map(({ category }) => category));
    expect(categories).toEqual(new Set(["data-validation"]));
    expect(JSON.stringify(report)).not.toMatch(/isn't set|missing or empty|Set `LIBRARY_DB`/);
  });
});
