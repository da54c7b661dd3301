import { describe, expect, it } from "vitest";
import { gather, gatherLimits, parseEvent, type SourceFiles } from "../../src/index.ts";
import { exception, foreignFrame, frameAt, type Program, reportedEvent } from "../reported-event.ts";

/** Other files of a program that is too large to be read as a whole. */
const others = Array.from({ length: gatherLimits.filesMax + 1 }, (_, at) => `src/others/part-${at}.ts`);

function sourcesOf(program: Program): SourceFiles {
  return {
    paths: async () => [...Object.keys(program), ...others],
    async read(path) {
      const text = program[path];
      return text === undefined ? { outcome: "absent" } : { outcome: "read", text, version: "in memory" };
    },
    search: async (words) =>
      Object.entries(program).flatMap(([path, text]) => (words.some((word) => text.includes(word)) ? [path] : [])),
  };
}

const running = (program: Program): Program =>
  Object.fromEntries(Object.entries(program).map(([path, text]) => [`/srv/shop/${path}`, text]));

async function readFor(program: Program, frames: Parameters<typeof exception>[2], message = "boom"): Promise<string[]> {
  const error = parseEvent(reportedEvent({ exceptions: [exception("Error", message, frames)] }));
  const { files } = await gather({ error, route: undefined }, sourcesOf(program));
  return files.map(({ path }) => path);
}

describe("code that a failure has names in common with", () => {
  const driver = foreignFrame("/srv/shop/node_modules/sqlite-driver/query.js", 9, "Query.run");
  const shelves: Program = {
    "src/shelf.ts": "export const shelf = (db) => db.insert('shelves', { label: 'A' });\n",
    "src/door.ts": "export const door = () => 1;\n",
  };

  it.each([
    "SQLITE_CONSTRAINT: UNIQUE constraint failed: shelves.label",
    "update `shelves` set `label` = 'A' - no such column: label",
    'null value in column "label" of relation "shelves" violates not-null constraint',
    "Unknown column 'label' in 'field list'",
  ])("is read by the table or the column that a database names: %s", async (message) => {
    expect(await readFor(shelves, [driver], message)).toEqual(["src/shelf.ts"]);
  });

  it("is read by the package that it calls, where the stack has no other code", async () => {
    const program = { ...shelves, "src/db.ts": "import { open } from 'sqlite-driver';\nexport const db = open();\n" };
    expect(await readFor(program, [driver])).toEqual(["src/db.ts"]);
    const frame = frameAt(running(program), "/srv/shop/src/door.ts", "1", "door");
    expect(await readFor(program, [driver, frame])).toEqual(["src/door.ts"]);
  });

  it("is read by the fields that the failing lines read", async () => {
    const program = {
      "src/view.ts": "export const view = (file) => {\n  if (file.isPacked) return unpack(file);\n};\n",
      "src/upload.ts": "export const upload = (file) => {\n  file.isPacked = true;\n};\n",
      "src/door.ts": shelves["src/door.ts"] ?? "",
    };
    const frame = frameAt(running(program), "/srv/shop/src/view.ts", "unpack", "view");
    expect(await readFor(program, [frame])).toEqual(["src/view.ts", "src/upload.ts"]);
  });

  it("is read by the data files that the code near the failure names", async () => {
    const program = {
      "src/main.ts": "import { theme } from './theme.ts';\nexport const page = () => theme().main.color;\n",
      "src/theme.ts": "export const theme = () => JSON.parse(read('data/theme.json'));\n",
      "src/save.ts": "export const save = (next) => write('data/theme.json', next);\n",
    };
    const frame = frameAt(running(program), "/srv/shop/src/main.ts", "color", "page");
    expect(await readFor(program, [frame])).toEqual(["src/main.ts", "src/theme.ts", "src/save.ts"]);
  });

  it("has room even where the files on the stack import many others", async () => {
    const imported = Array.from({ length: 30 }, (_, at) => `src/part${at}.ts`);
    const program = {
      "src/view.ts": "export const view = (file) => unpack(file.isPacked);\n",
      "src/main.ts": `${imported.map((path) => `import '../${path}';`).join("\n")}\nview(file);\n`,
      ...Object.fromEntries(imported.map((path) => [path, "export {};\n"])),
      "src/upload.ts": "export const upload = (file) => {\n  file.isPacked = true;\n};\n",
    };
    const files = running(program);
    const frames = [
      frameAt(files, "/srv/shop/src/view.ts", "unpack", "view"),
      frameAt(files, "/srv/shop/src/main.ts", "view(file)", "run"),
    ];
    expect(await readFor(program, frames)).toContain("src/upload.ts");
  });
});
