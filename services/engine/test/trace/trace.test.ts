import { describe, expect, it } from "vitest";
import type { Clue } from "../../src/findings.ts";
import { parseText } from "../../src/parse/parse.ts";
import { SourceText } from "../../src/source-text.ts";
import { locate } from "../../src/trace/trace-error.ts";

/** The clues in some files about a log of which the innermost frame is at `file:line:column`. */
async function cluesIn(
  files: Readonly<Record<string, string>>,
  message: string,
  ...frames: readonly string[]
): Promise<readonly Clue[]> {
  const log = [message, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  return (await locate(parseText(log), null, sources)).clues;
}

const undefinedRead = (property: string): string =>
  `TypeError: Cannot read properties of undefined (reading '${property}')`;
const ends = (clues: readonly Clue[]): string[] =>
  clues.filter(({ isEnd, how }) => isEnd && how !== null).map(describeClue);
const describeClue = ({ how, place }: Clue): string => `${how} ${place.file}:${place.line}`;

describe("the operand that had no value", () => {
  it("is the one before the property at the column, not the first on the line", async () => {
    const clues = await cluesIn({ "a.js": "const x = a.id + b.c.id;\n" }, undefinedRead("id"), "f (/srv/a.js:1:21)");
    expect(clues[0]?.says).toBe("`b.c` was undefined when `.id` was read");
  });

  it("is named by calls and indexes too", async () => {
    const clues = await cluesIn(
      { "a.js": "return list[0].get(key).size;\n" },
      undefinedRead("size"),
      "f (/srv/a.js:1:25)",
    );
    expect(clues[0]?.says).toBe("`list[0].get(key)` was undefined when `.size` was read");
  });
});

describe("a value", () => {
  it("is followed through a parameter into the call on the stack", async () => {
    const files = {
      "a.js": "function show(order) {\n  return order.id;\n}\n",
      "b.js": "const { show } = require('./a');\nlet order;\nshow({}, order);\nfunction go() {\n  show(missing);\n}\n",
    };
    const clues = await cluesIn(files, undefinedRead("id"), "show (/srv/a.js:2:16)", "go (/srv/b.js:5:3)");
    expect(clues.map(describeClue)).toContain("argument b.js:5");
    expect(clues.map(describeClue)).not.toContain("argument b.js:3");
  });

  it("is followed through an import to the function that returns nothing", async () => {
    const files = {
      "src/find.js": "export function find(id) {\n  if (id) return { id };\n}\n",
      "src/use.js": "import { find } from './find.js';\nconst found = find(0);\nfound.id;\n",
    };
    const clues = await cluesIn(files, undefinedRead("id"), "file:///srv/src/use.js:3:7");
    expect(clues.map(describeClue)).toContain("returns-nothing src/find.js:1");
  });

  it.each([
    ["if (id) return { id };", true],
    ["if (id) { return { id }; }", true],
    ["if (id) { return { id }; } else { return null; }", false],
    ["if (id) return { id };\n  throw new Error('none');", false],
    ["switch (id) { default: return { id }; }", false],
    ["try { return { id }; } finally { done(); }", false],
  ])("may come out of a function that ends with %s", async (body, isSilent) => {
    const files = { "a.js": `function find(id) {\n  ${body}\n}\nconst found = find(0);\nfound.id;\n` };
    const line = files["a.js"].split("\n").indexOf("found.id;") + 1;
    const clues = await cluesIn(files, undefinedRead("id"), `f (/srv/a.js:${line}:7)`);
    expect(clues.some(({ how }) => how === "returns-nothing")).toBe(isSilent);
  });

  it("is never blamed on what cannot be undefined", async () => {
    const files = {
      "a.js":
        "function make(kind) {\n  if (kind) return { a: 1 };\n  if (!kind) return new Map();\n  return null;\n}\nconst made = make(1);\nmade.a;\n",
    };
    const clues = await cluesIn(files, undefinedRead("a"), "f (/srv/a.js:7:6)");
    expect(clues.map(describeClue)).toContain("literal a.js:4");
    expect(clues.map(describeClue)).not.toContain("return a.js:2");
    expect(clues.map(describeClue)).not.toContain("return a.js:3");
  });

  it("is followed through destructuring and object literals to the key that it was given", async () => {
    const files = {
      "a.js": "function load() {\n  return { id: 1, price: row.cost };\n}\nconst { price } = load();\nprice.amount;\n",
    };
    expect(ends(await cluesIn(files, undefinedRead("amount"), "f (/srv/a.js:5:7)"))).toContain("property a.js:2");
  });

  it("is followed into what `map` was given", async () => {
    const files = {
      "a.js":
        "function toRow(raw) {\n  return { at: raw.seen_at };\n}\nconst rows = raws.map(toRow);\nfor (const row of rows) {\n  row.at.trim();\n}\n",
    };
    expect((await cluesIn(files, undefinedRead("trim"), "f (/srv/a.js:6:10)")).map(describeClue)).toContain(
      "property a.js:2",
    );
  });

  it("marks the first field that is read of an answer from outside", async () => {
    const files = {
      "a.js":
        "async function load() {\n  const response = await fetch(url);\n  const body = await response.json();\n  return { price: body.price };\n}\nasync function show() {\n  const item = await load();\n  return item.price.amount;\n}\n",
    };
    expect((await cluesIn(files, undefinedRead("amount"), "async show (/srv/a.js:8:21)")).map(describeClue)).toContain(
      "answer-field a.js:4",
    );
  });

  it("ends at a setting whose module was not given", async () => {
    const files = { "a.js": 'import { config } from "./config.js";\nnew URL(config.paymentsUrl);\n' };
    const clues = await cluesIn(
      files,
      "TypeError: Invalid URL",
      "new URL (node:internal/url:1:1)",
      "f (/srv/a.js:2:1)",
    );
    expect(ends(clues)).toEqual(["setting a.js:2"]);
  });

  it("is not followed in circles", async () => {
    const files = { "a.js": "let a = b;\nlet b = a;\nfunction f(x) { return f(f(x)); }\na = f(b);\na.id;\n" };
    expect((await cluesIn(files, undefinedRead("id"), "f (/srv/a.js:5:3)")).length).toBeLessThan(60);
  });
});

describe("a promise", () => {
  const unawaited = async (text: string): Promise<string[]> =>
    (await cluesIn({ "a.js": `async function save() {}\n${text}` }, "Error: x", "f (/srv/b.js:1:1)"))
      .filter(({ kind }) => kind === "unawaited-call")
      .map(({ place, says }) => `${place.line} ${says.split(" ")[0]}`);

  it.each([
    ["function f() {\n  save();\n}", ["3 nothing"]],
    ["function f() {\n  const s = save();\n  return s.id;\n}", ["3 the"]],
    ["function f() {\n  return save().id;\n}", ["3 the"]],
  ])("that nobody waits for is found: %s", async (text, expected) => {
    expect(await unawaited(text)).toEqual(expected);
  });

  it.each([
    "async function f() {\n  await save();\n}",
    "function f() {\n  return save();\n}",
    "function f() {\n  save().catch(report);\n}",
    "function f() {\n  void save();\n}",
    "const f = () => save();",
    "async function f() {\n  const s = save();\n  await s;\n}",
    "async function f() {\n  await Promise.all([save(), save()]);\n}",
  ])("that somebody waits for is let alone: %s", async (text) => {
    expect(await unawaited(text)).toEqual([]);
  });
});

describe("a resource", () => {
  const unreleased = async (text: string): Promise<string[]> =>
    (await cluesIn({ "a.js": text }, "Error: x", "f (/srv/b.js:1:1)"))
      .filter(({ kind }) => kind === "unreleased-resource")
      .map(({ says }) => says);

  it("that an early way out skips is found, with the line of it", async () => {
    const text =
      "async function f() {\n  const c = await pool.connect();\n  if (!ok) return null;\n  c.release();\n}\n";
    expect(await unreleased(text)).toEqual(["line 3 can leave before what `pool.connect` gave is released"]);
  });

  it("that is never given back is found", async () => {
    expect(
      await unreleased("async function f() {\n  const c = await pool.acquire();\n  await c.query(sql);\n}\n"),
    ).toEqual(["what `pool.acquire` gives is not released in a `finally`"]);
  });

  it.each([
    "async function f() {\n  const c = await pool.acquire();\n  try {\n    return await c.query(sql);\n  } finally {\n    c.release();\n  }\n}\n",
    "async function f() {\n  const c = await pool.acquire();\n  try {\n    await c.query(sql);\n  } finally {\n    pool.release(c);\n  }\n}\n",
    "async function f() {\n  await using c = await pool.acquire();\n  await c.query(sql);\n}\n",
    "async function f() {\n  const c = await pool.acquire();\n  return c;\n}\n",
  ])("that is given back on every way, or handed on, is let alone: %s", async (text) => {
    expect(await unreleased(text)).toEqual([]);
  });
});

describe("a file's name", () => {
  const placeOf = async (path: string, ...names: readonly string[]): Promise<string | undefined> => {
    const files = Object.fromEntries(names.map((name) => [name, "x.y;\n"]));
    return (await cluesIn(files, undefinedRead("y"), `f (${path}:1:3)`))[0]?.place.file;
  };

  it("is matched by the folders at its end", async () => {
    expect(await placeOf("/srv/app/src/a/index.js", "src/b/index.js", "src/a/index.js")).toBe("src/a/index.js");
    expect(await placeOf("C:\\app\\src\\a.js", "src/a.js")).toBe("src/a.js");
    expect(await placeOf("webpack://shop/./src/a.js", "src/a.js")).toBe("src/a.js");
    expect(await placeOf("/srv/a.js", "b.js")).toBeUndefined();
  });
});

describe("what the way of a value tells", () => {
  it("knows that a spread copies one level deep", async () => {
    const files = {
      "a.js":
        "const load = (name) => JSON.parse(readFileSync(`config/$" +
        "{name}.json`));\nfunction read() {\n  return { ...load('default'), ...load('live') };\n}\nconst config = read();\nconfig.retry.delays.length;\n",
    };
    const clues = await cluesIn(files, undefinedRead("length"), "/srv/a.js:6:21");
    expect(clues.map(({ says }) => says)).toContain(
      "the objects are merged one level deep: a `retry` of the later one replaces all of the earlier one's, `delays` with it",
    );
  });

  it("finds the check whose pattern has no ends", async () => {
    const files = {
      "a.js":
        "function isShelf(t) {\n  return /[A-Z]-\\d/.test(t);\n}\nfunction move(shelf) {\n  if (!isShelf(shelf)) return null;\n  return placeOf(shelf);\n}\nfunction placeOf(s) {\n  return racks[s[0]].aisle;\n}\n",
    };
    const clues = await cluesIn(files, undefinedRead("aisle"), "placeOf (/srv/a.js:9:22)", "move (/srv/a.js:6:10)");
    expect(clues.find(({ rule }) => rule === "unanchored-pattern")?.place.line).toBe(2);
  });
});

describe("what an error says of the value", () => {
  const notAnInteger = "RangeError: The number 1.5 cannot be converted to a BigInt because it is not an integer";

  it("rules out whatever never is of its type", async () => {
    const files = {
      "a.js": "function add(n) {\n  return BigInt(n);\n}\n",
      "b.js": "function go(x) {\n  let n = 'none';\n  n = Number(x) * 100;\n  add(n);\n}\n",
    };
    const clues = await cluesIn(
      files,
      notAnInteger,
      "BigInt (<anonymous>)",
      "add (/srv/a.js:2:10)",
      "go (/srv/b.js:4:3)",
    );
    expect(clues.map(describeClue)).toContain("computed b.js:3");
    expect(clues.map(describeClue)).not.toContain("literal b.js:2");
  });

  it("rules out texts that it does not show", async () => {
    const files = { "a.js": "const currency = known ? 'EURO' : 'CHF';\nformat(currency);\n" };
    const clues = await cluesIn(files, "RangeError: Invalid currency code : EURO", "/srv/a.js:2:1");
    expect(clues.filter(({ how }) => how === "fallback").map(({ says }) => says)).toEqual([
      "the value may be `'EURO'` here, which is taken when there is no other",
    ]);
  });

  it("tells where a value was made what it should not be", async () => {
    const files = { "a.js": "const rows = all.map((row) => ({ id: BigInt(row.id) }));\nJSON.stringify(rows);\n" };
    const message = "TypeError: Do not know how to serialize a BigInt";
    const clues = await cluesIn(files, message, "JSON.stringify (<anonymous>)", "/srv/a.js:2:6");
    expect(ends(clues)).toEqual(["computed a.js:1"]);
  });

  it("follows no argument of a call that comes at the wrong time", async () => {
    const log =
      "Error [ERR_HTTP_HEADERS_SENT]: Cannot set headers\n    at f (/srv/a.js:2:7)\n  code: 'ERR_HTTP_HEADERS_SENT'";
    const source = new SourceText("source_file", "a.js", "const type = 'text';\n  res.setHeader('type', type);\n");
    const { clues } = await locate(parseText(log), null, [source]);
    expect(clues.filter(({ how }) => how !== null)).toEqual([]);
  });
});

describe("on its way a value", () => {
  it("goes through a function of the code that the runtime has one of the same name as", async () => {
    const files = { "a.js": "const normalize = (o) => o.known.get(1);\nconst x = normalize(input);\nx.id;\n" };
    const clues = await cluesIn(files, undefinedRead("id"), "/srv/a.js:3:3");
    expect(clues.map(describeClue)).toContain("lookup a.js:1");
  });

  it("comes out of a generator", async () => {
    const files = {
      "a.js": "function* rows() {\n  yield { id: known.get(1) };\n}\nfor (const { id } of rows()) {\n  id.length;\n}\n",
    };
    expect(ends(await cluesIn(files, undefinedRead("length"), "/srv/a.js:5:6"))).toContain("lookup a.js:2");
  });

  it("is missing where a key is only set under a condition, and not where the object began without it", async () => {
    const files = {
      "a.js":
        "function make(o) {\n  const out = {};\n  if (o.from) {\n    out.range = {};\n  }\n  return out;\n}\nconst made = make(given);\nmade.range.from;\n",
    };
    const clues = await cluesIn(files, undefinedRead("from"), "/srv/a.js:9:12");
    expect(clues.map(({ says }) => says)).toContain("`range` is only set when `o.from`");
    expect(clues.map(({ how }) => how)).not.toContain("missing-key");
  });

  it.each(["{ ...cart }", "JSON.parse(kept)", "structuredClone(cart)"])(
    "loses the methods of its class by %s",
    async (copy) => {
      const files = {
        "a.js": `class Cart {\n  total() {\n    return 1;\n  }\n}\nconst copy = ${copy};\ncopy.total();\n`,
      };
      const clues = await cluesIn(files, "TypeError: copy.total is not a function", "/srv/a.js:7:6");
      expect(clues.find(({ says }) => says.includes("is lost here"))?.place.line).toBe(6);
    },
  );

  it("is a setting that is named by the caller of a helper", async () => {
    const files = {
      "env.js": "exports.required = (name) => process.env[name];\n",
      "a.js": "const { required } = require('./env');\nconst url = required('DB_URL');\nurl.split();\n",
    };
    expect(ends(await cluesIn(files, undefinedRead("split"), "/srv/a.js:3:5"))).toEqual(["environment a.js:2"]);
  });
});

describe("a value that the error shows", () => {
  it.each([
    ["a number with a unit", "DeadlineError: no answer within 250 ms", '{ "attempts": 3,\n  "deadline": 250 }\n'],
    ["a short quoted piece", "Error: not a duration: '30s'", '{ "a": 1,\n  "wait": "30s" }\n'],
  ])("is looked up in data files: %s", async (_, message, text) => {
    const clues = await cluesIn({ "config/a.json": text }, message, "f (/srv/b.js:1:1)");
    expect(clues.map(({ kind, place }) => `${kind} ${place.line}`)).toEqual(["literal-value 2"]);
  });

  it("is no part of a longer number", async () => {
    const clues = await cluesIn(
      { "a.json": '{ "a": 2500, "b": 1250 }\n' },
      "Error: within 250 ms",
      "f (/srv/b.js:1:1)",
    );
    expect(clues).toEqual([]);
  });
});
