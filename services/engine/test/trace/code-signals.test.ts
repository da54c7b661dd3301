import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, stepsOf, traced } from "./signals-in.ts";

describe("a promise", () => {
  const forgotten = async (text: string): Promise<object[]> =>
    ofKind(
      await signalsIn({ "a.js": `async function save() {}\n${text}` }, "Error: x", "f (/srv/b.js:1:1)"),
      "missing-await",
    );

  it.each([
    ["function f() {\n  save();\n}", "forgotten", 3],
    ["function f() {\n  const s = save();\n  return s.id;\n}", "as-value", 3],
    ["function f() {\n  return save().id;\n}", "as-value", 3],
    ["rows.forEach(async (row) => {\n  await save(row);\n});", "in-callback", 2],
  ])("that isn't awaited is found: %s", async (text, how, line) => {
    expect(await forgotten(text)).toMatchObject([{ line, args: { how } }]);
  });

  it.each([
    "async function f() {\n  await save();\n}",
    "function f() {\n  return save();\n}",
    "function f() {\n  save().catch(report);\n}",
    "function f() {\n  void save();\n}",
    "const f = () => save();",
    "async function f() {\n  const s = save();\n  await s;\n}",
    "async function f() {\n  await Promise.all([save(), save()]);\n}",
  ])("that is awaited isn't named: %s", async (text) => {
    expect(await forgotten(text)).toEqual([]);
  });
});

describe("a resource", () => {
  const unreleased = async (body: string, message = "Error: timed out waiting for a connection"): Promise<object[]> =>
    ofKind(
      await signalsIn({ "a.js": `async function f(pool) {\n${body}\n}\n` }, message, "f (/srv/b.js:1:1)"),
      "unreleased-resource",
    );

  it("that an early return keeps is named with the line that leaves", async () => {
    const body = "  const c = await pool.acquire();\n  if (c.old) return null;\n  c.release();";
    expect(await unreleased(body)).toEqual([{ line: 2, args: { acquire: "pool.acquire", leavesAtLine: 3 } }]);
  });

  it("that is never released is named", async () => {
    expect(await unreleased("  const c = await pool.acquire();\n  c.query();")).toMatchObject([
      { args: { leavesAtLine: null } },
    ]);
  });

  it.each([
    "  const c = await pool.acquire();\n  try { c.query(); } finally { c.release(); }",
    "  const c = await pool.acquire();\n  return c;",
    "  const c = await pool.acquire();\n  this.held = c;",
    "  this.held = await pool.acquire();",
    "  state.held = pool.acquire();",
  ])("that is released or passed on isn't: %s", async (body) => {
    expect(await unreleased(body)).toEqual([]);
  });

  it("is only searched for when the error is about something that ran out", async () => {
    expect(
      await unreleased("  const c = await pool.acquire();\n  c.query();", "TypeError: x is not a function"),
    ).toEqual([]);
  });
});

describe("a message", () => {
  it.each([
    ["a template", `throw new Error(\`order \${id} was refused by the bank\`);`],
    ["pieces", "throw new Error('order ' + id + ' was refused by the bank');"],
    ["a constant", "const text = 'order %s was refused by the bank';\nthrow new Error(format(text, id));"],
    [
      "a table",
      `const texts = { refused: (id) => \`order \${id} was refused by the bank\` };\nthrow new Error(texts.refused(id));`,
    ],
  ])("leads to the code that builds it, by %s", async (_, code) => {
    const files = { "a.js": `${code}\n`, "b.js": "throw new Error('something else');\n" };
    const [found] = ofKind(
      await signalsIn(files, "Error: order 7 was refused by the bank", "run (node:internal/process:1:1)"),
      "message-source",
    );
    const line = code.split("\n").length;
    expect(found?.line).toBe(line);
  });

  it("in a logged line leads to the call that logs it, and on from there", async () => {
    const files = {
      "a.js": `const limit = process.env.LIMIT;\nif (limit < 1) console.error(\`the limit \${limit} is not allowed here\`);\n`,
    };
    const { signals } = await traced('{"level":50,"msg":"the limit 0 is not allowed here"}\n', files);
    expect(ofKind(signals, "message-source")).toMatchObject([{ line: 2 }]);
    expect(stepsOf(signals)).toContain("environment a.js:1");
  });
});

describe("other signals", () => {
  it("name a function that calls itself when the stack is full", async () => {
    const files = { "a.js": "function walk(node) {\n  return node.children.map((one) => walk(one));\n}\n" };
    const frames = Array.from({ length: 6 }, () => "walk (/srv/a.js:2:36)");
    const signals = await signalsIn(files, "RangeError: Maximum call stack size exceeded", ...frames);
    expect(ofKind(signals, "recursion").length).toBeGreaterThan(0);
  });

  it.each([["RangeError", "SyntaxError: The requested module './b.js' does not provide an export named 'sendMail'"]])(
    "name an export that a module lacks, and the one that is almost it",
    async (_, message) => {
      const files = {
        "a.js": "import { sendMail } from './b.js';\n",
        "b.js": "export const x = 1;\nexport function sendMails() {}\n",
      };
      const found = ofKind(await signalsIn(files, message, "file:///srv/a.js:1:1"), "missing-export");
      expect(found[0]).toEqual({ line: 1, args: { name: "sendMail", module: "./b.js", similar: "sendMails" } });
    },
  );

  it("name an error that is caught and not passed on, where the trail runs through it", async () => {
    const files = {
      "a.js":
        "function load() {\n  try {\n    return read();\n  } catch {\n    return null;\n  }\n}\nconst row = load();\nrow.id;\n",
    };
    const signals = await signalsIn(
      files,
      "TypeError: Cannot read properties of null (reading 'id')",
      "f (/srv/a.js:9:5)",
    );
    expect(ofKind(signals, "swallowed-error")).toEqual([{ line: 4, args: { call: "read" } }]);
  });

  it("name a data file that can't be parsed", async () => {
    const files = { "settings.json": '{\n  "a": 1,\n}\n' };
    const signals = await signalsIn(
      files,
      "SyntaxError: Unexpected token } in JSON at position 13",
      "f (/srv/a.js:1:1)",
    );
    expect(ofKind(signals, "broken-file")).toMatchObject([{ args: { format: "JSON", isReported: false } }]);
  });

  it("recognize the data file whose problem the error reports verbatim", async () => {
    const files = { "settings.json": '{ "a": tru', "other.json": '{ "b" 1 }' };
    const message = "Unexpected end of JSON input";
    const problemOf = (text: string): string => {
      try {
        return String(JSON.parse(text));
      } catch (error) {
        return error instanceof Error ? error.message : message;
      }
    };
    const signals = await signalsIn(files, `SyntaxError: ${problemOf(files["other.json"])}`, "f (/srv/a.js:1:1)");
    const reported = signals.flatMap((signal) =>
      signal.kind === "broken-file" && signal.args.isReported ? [signal.subject.file] : [],
    );
    expect(reported).toEqual(["other.json"]);
  });

  it.each([
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/src/synonyms.js' imported from /app/src/search.js",
    "Error: Cannot find module './synonyms'\nRequire stack:\n- /app/src/search.js\n- /app/src/main.js",
  ])("name the file that imports a missing module: %j", async (message) => {
    const files = {
      "src/search.js": 'import { products } from "./products.js";\nimport { synonyms } from "./synonyms.js";\n',
      "src/other.js": 'const text = "synonyms";\n',
    };
    const { signals } = await traced(`${message}\n    at node:internal/modules/esm/resolve:274:11`, files);
    expect(signals.map(({ kind, subject }) => `${kind} ${subject.file}:${subject.line}`)).toContain(
      "missing-module src/search.js:2",
    );
  });

  it("name the places that contain a value from the error", async () => {
    const files = { "config.yml": "db:\n  port: 5433\n" };
    const log =
      "Error: connect ECONNREFUSED 127.0.0.1:5433\n    at f (node:net:1:1) {\n  code: 'ECONNREFUSED',\n  port: 5433\n}\n";
    expect(ofKind((await traced(log, files)).signals, "literal-in-message")).toEqual([
      { line: 2, args: { value: "5433", isLiteral: true } },
    ]);
  });

  describe("in quotes", () => {
    const isLiteral = async (line: string): Promise<unknown> => {
      const log = "Error: no host 'db.internal'\n    at f (node:net:1:1)\n";
      const found = ofKind((await traced(log, { "notes.txt": line })).signals, "literal-in-message");
      return found.map(({ args }) => args);
    };
    const said = (is: boolean) => [{ value: "db.internal", isLiteral: is }];

    it.each([
      ['don\'t use "db.internal"', true],
      ["'it\\'s db.internal'", true],
      ["\\'db.internal'", true],
      ["'a' db.internal 'b'", false],
      ['"db.internal', false],
    ])("is %s: %s", async (line, is) => {
      expect(await isLiteral(line)).toEqual(said(is));
    });

    // Time quadratic in this length would be a quarter of an hour.
    it("is found in a line of 1 MiB of escaped quotes", async () => {
      expect(await isLiteral(`${"\\'".repeat(512 * 1_024)} "db.internal"`)).toEqual(said(true));
    });
  });
});
