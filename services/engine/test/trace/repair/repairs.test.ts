import { describe, expect, it } from "vitest";
import type { RemedyName } from "../../../src/signals/code/remedy.ts";
import { type Files, traced } from "../signals-in.ts";

/** The texts of the files that the first repair of this kind changes, by any signal of the error. */
async function repaired(by: RemedyName, log: string, files: Files): Promise<Record<string, string> | null> {
  const { signals, repairs } = await traced(log, files);
  const [repair] = signals.flatMap((signal) => repairs.of(signal)).filter((one) => one.by === by);
  if (!repair) return null;
  const texts: Record<string, string> = {};
  for (const { source, start, end, text } of repair.edits.toSorted((left, right) => right.start - left.start)) {
    const before = texts[source.name] ?? source.text;
    texts[source.name] = before.slice(0, start) + text + before.slice(end);
  }
  return texts;
}

const javascript = (message: string, ...frames: readonly string[]): string =>
  [message, ...frames.map((frame) => `    at ${frame}`)].join("\n");

const python = (message: string, ...frames: readonly (readonly [file: string, line: number, code: string])[]): string =>
  [
    "Traceback (most recent call last):",
    ...frames.map(([file, line, code]) => `  File "${file}", line ${line}, in run\n    ${code}`),
    message,
  ].join("\n");

describe("the repair of a name that isn't exported", () => {
  const log = [
    ...["file:///app/orders.js:1", 'import { format } from "./money.js";', "         ^^^^^^"],
    "SyntaxError: The requested module './money.js' does not provide an export named 'format'",
    "    at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)",
  ].join("\n");
  const orders = `import { format } from "./money.js";\n`;

  it("exports its declaration", async () => {
    const money = "export const unit = 1;\nfunction format(cents) {\n  return cents / unit;\n}\n";
    expect(await repaired("export", log, { "orders.js": orders, "money.js": money })).toEqual({
      "money.js": money.replace("function", "export function"),
    });
  });

  it("isn't offered for a name that the module doesn't declare", async () => {
    expect(await repaired("export", log, { "orders.js": orders, "money.js": "export const unit = 1;\n" })).toBeNull();
  });
});

describe("the repair of a function that returns nothing", () => {
  const log = javascript("TypeError: Cannot read properties of undefined (reading 'length')", "total (/app/a.js:6:19)");
  const given = (body: string): Files => ({
    "a.js": `function lines(order) {\n  ${body}\n}\n\nfunction total(order) {\n  return lines(order).length;\n}\n`,
  });

  it("returns its last expression", async () => {
    const files = given("order.items.map(priced);");
    expect(await repaired("return", log, files)).toEqual({
      "a.js": files["a.js"]?.replace("order.items", "return order.items"),
    });
  });

  it.each([
    "console.log(order.items);",
    "order.lines.push(order.item);",
    "order.close();",
    "await order.items;",
    '"its lines";',
    "order.count = 1;",
    "if (order.open) return;\n  order.items.map(priced);",
  ])("isn't offered for: %s", async (body) => {
    expect(await repaired("return", log, given(body))).toBeNull();
  });
});

describe("the repair of a value that is promised", () => {
  const inJavaScript = (body: string, keyword = "async function"): Files => ({
    "a.js": `${keyword} load(order) {\n  return order.lines;\n}\n\n${body}\n`,
  });
  const log = javascript("TypeError: x is not a function", "total (/app/a.js:6:3)");
  const waits = (body: string): string => `async function total(order) {\n${body}\n}`;

  it("awaits it, in parentheses where it is read", async () => {
    const files = inJavaScript(waits("  const count = order.count;\n  load(order).forEach(show);"));
    expect(await repaired("await", log, files)).toEqual({
      "a.js": files["a.js"]?.replace("load(order).for", "(await load(order)).for"),
    });
  });

  it.each([
    ["the line above would go on", waits("  const count = order.count\n  load(order).forEach(show)")],
    ["it is a default", "async function total(order, lines = load(order).length) {\n  return lines;\n}"],
    ["it is in a class", waits("  return class {\n    lines = load(order).length;\n  };")],
  ])("isn't offered where %s", async (_, body) => {
    expect(await repaired("await", log, inJavaScript(body))).toBeNull();
  });

  it("isn't offered for a generator", async () => {
    const body = waits("  load(order);\n  return order.total;");
    expect(await repaired("await", log, inJavaScript(body))).not.toBeNull();
    expect(await repaired("await", log, inJavaScript(body, "async function*"))).toBeNull();
  });

  it("isn't offered in a generator expression of Python, which would become an asynchronous one", async () => {
    const file = (lines: string): Files => ({
      "a.py": `async def load(order):\n    return order\n\n\nasync def total(orders):\n    return sum(${lines})\n`,
    });
    const about = python("AttributeError: 'coroutine' object has no attribute 'price'", [
      "/app/a.py",
      6,
      "return sum(load(one).price for one in orders)",
    ]);
    expect(await repaired("await", about, file("[load(one).price for one in orders]"))).not.toBeNull();
    expect(await repaired("await", about, file("load(one).price for one in orders"))).toBeNull();
  });
});

describe("the repair of a key", () => {
  const log = javascript("TypeError: Cannot read properties of undefined (reading 'map')", "total (/app/a.js:2:22)");
  const given = (reads: string, gives: string): Files => ({
    "a.js": `function total(order) {\n  return order.${reads}.map(priced);\n}\n\ntotal({ ${gives}: [] });\n`,
  });

  it.each([
    ["line_items", "lineItems"],
    ["lineItem", "lineItems"],
  ])("reads %s under the name that is set: %s", async (reads, gives) => {
    const files = given(reads, gives);
    expect(await repaired("key", log, files)).toEqual({ "a.js": files["a.js"]?.replace(reads, gives) });
  });

  it.each([
    "return { lineItems: order.line_items.map(priced) };",
    "const lineItems = order.line_items.map(priced);",
    "kept.lineItems = order.line_items.map(priced);",
    'kept["lineItems"] = order.line_items.map(priced);',
    'return kept.set("lineItems", order.line_items.map(priced));',
  ])("isn't offered where the value is given the other name: %s", async (line) => {
    const files = { "a.js": `function total(order) {\n  ${line}\n}\n\nshow({ lineItems: [] });\n` };
    expect(await repaired("key", log, files)).toBeNull();
  });

  it.each([
    ["dates", "rates"],
    ["set", "sets"],
  ])("isn't offered where %s may be another word than %s", async (reads, gives) => {
    expect(await repaired("key", log, given(reads, gives))).toBeNull();
  });
});

describe("the repair of a field", () => {
  const given = (body: string, use: string): Files => ({
    "books.py": `class Books:\n    def __init__(self, policy):\n        ${body}\n\n    def run(self, entry):\n        ${use}\n`,
  });
  const log = (field: string, use: string): string =>
    python(`AttributeError: 'Books' object has no attribute '${field}'`, ["/app/books.py", 6, use]);

  it("keeps the constructor's parameter of that name", async () => {
    const use = "self.policy.check(entry)";
    const files = given("self.open = True", use);
    expect(await repaired("field", log("policy", use), files)).toEqual({
      "books.py": files["books.py"]?.replace("self.open", "self.policy = policy\n        self.open"),
    });
  });

  it("is empty, as the method that is called on it says", async () => {
    const use = "self.entries.append(entry)";
    const files = given("self.open = True", use);
    expect(await repaired("field", log("entries", use), files)).toEqual({
      "books.py": files["books.py"]?.replace("self.open", "self.entries = []\n        self.open"),
    });
  });

  it("isn't offered in a constructor of one line", async () => {
    const use = "self.policy.check(entry)";
    const files = {
      "books.py": `class Books:\n    def __init__(self, policy): self.open = True\n\n    def run(self, entry):\n\n        ${use}\n`,
    };
    expect(await repaired("field", log("policy", use), files)).toBeNull();
  });

  it("isn't offered where nothing says what it is", async () => {
    const use = "self.rates.find(entry)";
    expect(await repaired("field", log("rates", use), given("self.open = True", use))).toBeNull();
  });
});

describe("the repair of arguments", () => {
  const log = javascript(
    "TypeError: terms.map is not a function",
    "highlight (/app/mark.js:2:16)",
    "search (/app/search.js:5:10)",
  );
  const mark = "export function highlight(text, terms) {\n  return terms.map((term) => text.indexOf(term));\n}\n";
  const given = (call: string): Files => ({
    "mark.js": mark,
    "search.js": `import { highlight } from "./mark.js";\n\nexport function search(document, query) {\n  const terms = query.split(" ");\n  return highlight(${call});\n}\n`,
  });

  it("exchanges two by the names of the parameters", async () => {
    const files = given("terms, document.title");
    expect(await repaired("arguments", log, files)).toEqual({
      "search.js": files["search.js"]?.replace("terms, document.title", "document.title, terms"),
    });
  });

  it("adds the one whose name is a variable at the call", async () => {
    const missing = log.replace("terms.map is not a function", "Cannot read properties of undefined (reading 'map')");
    const files = given("document.title");
    expect(await repaired("arguments", missing, files)).toEqual({
      "search.js": files["search.js"]?.replace("document.title", "document.title, terms"),
    });
  });

  it("counts from the first parameter of a static method in Python", async () => {
    const files = {
      "mark.py": `class Mark:\n    @staticmethod\n    def spread(text, terms):\n        return terms.keys()\n\n\ndef search(text, terms):\n    return Mark.spread(terms, text)\n`,
    };
    const frames = [
      ["/app/mark.py", 8, "return Mark.spread(terms, text)"],
      ["/app/mark.py", 4, "return terms.keys()"],
    ] as const;
    const about = python("AttributeError: 'str' object has no attribute 'keys'", ...frames);
    expect(await repaired("arguments", about, files)).toEqual({
      "mark.py": files["mark.py"].replace("(terms, text)\n", "(text, terms)\n"),
    });
  });

  it("isn't offered where the names say nothing", async () => {
    expect(await repaired("arguments", log, given("document.title, document.body"))).toBeNull();
  });
});

describe("the repair of an object without an entry", () => {
  const log = javascript("TypeError: stop is not a function", "run (/app/run.js:5:3)");
  const given = (entry: string): Files => ({
    "run.js": `import { start } from "./server.js";\n\nexport function run() {\n  const { stop } = start();\n  stop();\n}\n`,
    "server.js": `export function start() {\n  const ${entry} = () => undefined;\n  return { port: 1 };\n}\n`,
  });

  it("adds the variable of that name", async () => {
    const files = given("stop");
    expect(await repaired("entry", log, files)).toEqual({
      "server.js": files["server.js"]?.replace("{ port: 1 }", "{ stop, port: 1 }"),
    });
  });

  it("isn't offered for an import of that name", async () => {
    const files = {
      "run.js": given("stop")["run.js"] ?? "",
      "server.js":
        'import { stop } from "./signals.js";\nexport function start() {\n  return { port: 1 };\n}\nstop();\n',
    };
    expect(await repaired("entry", log, files)).toBeNull();
  });

  it("isn't offered without one", async () => {
    expect(await repaired("entry", log, given("close"))).toBeNull();
  });
});

describe("the repair of a value that went through JSON", () => {
  it("copies it in a way that keeps its type", async () => {
    const files = {
      "store.js": `export class Store {\n  keep(list = new Map()) {\n    const copy = JSON.parse(JSON.stringify(list));\n    return copy.get("a");\n  }\n}\n`,
    };
    const log = javascript("TypeError: copy.get is not a function", "Store.keep (/app/store.js:4:17)");
    expect(await repaired("type", log, files)).toEqual({
      "store.js": files["store.js"].replace("JSON.parse(JSON.stringify(list))", "structuredClone(list)"),
    });
  });
});

describe("the repair of a value that may not be copied", () => {
  it.each([
    ["JSON.parse(JSON.stringify(list, allowed))", 'copy.get("a")', "copy.get is not a function"],
    ["JSON.parse(JSON.stringify(list))", "[...copy]", "copy is not iterable"],
  ])("isn't offered: %s, then %s", async (trip, use, problem) => {
    const files = {
      "store.js": `export class Store {\n  keep(list = new Map()) {\n    const copy = ${trip};\n    return ${use};\n  }\n}\n`,
    };
    const log = javascript(`TypeError: ${problem}`, "Store.keep (/app/store.js:4:17)");
    expect(await repaired("type", log, files)).toBeNull();
  });

  it.each([
    ["kept", true],
    ["copy", false],
  ])("is copied in Python where `copy` is the module: %s", async (name, isOffered) => {
    const files = {
      "store.py": `import json\n\ndef keep(seen=set()):\n    ${name} = json.loads(json.dumps(seen))\n    ${name}.add("a")\n    return ${name}\n`,
    };
    const log = python("AttributeError: 'list' object has no attribute 'add'", [
      "/app/store.py",
      5,
      `${name}.add("a")`,
    ]);
    const made = await repaired("type", log, files);
    expect(made?.["store.py"] ?? null).toBe(
      isOffered
        ? `import copy\n${files["store.py"].replace("json.loads(json.dumps(seen))", "copy.deepcopy(seen)")}`
        : null,
    );
  });
});

describe("the repair of something that isn't given back", () => {
  const log = javascript(
    "Error: no connection within 500 ms, 2 in use",
    "Pool.acquire (/app/pool.js:9:11)",
    "read (/app/read.js:4:28)",
  );
  const pool = `export class Pool {\n  constructor() {\n    this.free = [];\n  }\n  release(one) {\n    this.free.push(one);\n  }\n  acquire() {\n    throw new Error("no connection within 500 ms, 2 in use");\n  }\n}\nexport const pool = new Pool();\n`;
  const read = `import { pool } from "./pool.js";\n\nexport async function read() {\n  const connection = await pool.acquire();\n  try {\n    return await connection.query("a");\n  } finally {\n    pool.release(connection);\n  }\n}\n`;
  const write = `import { pool } from "./pool.js";\n\nexport async function write() {\n  const connection = await pool.acquire();\n  await connection.query("b");\n}\n`;

  it("gives it back in a finally, as another function does", async () => {
    expect(await repaired("release", log, { "pool.js": pool, "read.js": read, "write.js": write })).toEqual({
      "write.js": `import { pool } from "./pool.js";\n\nexport async function write() {\n  const connection = await pool.acquire();\n  try {\n    await connection.query("b");\n  } finally {\n    pool.release(connection);\n  }\n}\n`,
    });
  });
});

describe("the repair of something whose release is awaited", () => {
  const log = javascript("Error: no connection within 500 ms, 2 in use", "read (/app/read.js:4:28)");
  const read = `import { pool } from "./pool.js";\n\nexport async function read() {\n  const connection = await pool.acquire();\n  try {\n    return await connection.query("a");\n  } finally {\n    await pool.release(connection);\n  }\n}\n`;
  const given = (keyword: string): Files => ({
    "read.js": read,
    "write.js": `import { pool } from "./pool.js";\n\nexport ${keyword}function write() {\n  const connection = pool.acquire();\n  connection.query("b");\n}\n`,
  });

  it("keeps the line endings", async () => {
    const unix = given("async ");
    const windows = Object.fromEntries(
      Object.entries(unix).map(([name, text]) => [name, text.replaceAll("\n", "\r\n")]),
    );
    const [mended, other] = [await repaired("release", log, unix), await repaired("release", log, windows)];
    expect(other?.["write.js"]).toBe(mended?.["write.js"]?.replaceAll("\n", "\r\n"));
  });

  it("awaits it, too", async () => {
    expect((await repaired("release", log, given("async ")))?.["write.js"]).toContain(
      "  } finally {\n    await pool.release(connection);\n  }\n",
    );
  });

  it("isn't offered in a function that can't wait", async () => {
    expect(await repaired("release", log, given(""))).toBeNull();
  });

  it("isn't offered around a text of several lines, which would be indented", async () => {
    const pool = (body: string): string =>
      `def read(pool):\n    lease = pool.acquire()\n    try:\n        return lease.query("a")\n    finally:\n        pool.release(lease)\n\n\ndef write(pool):\n    lease = pool.acquire()\n    lease.query(${body})\n`;
    const about = python("TimeoutError: no connection within 500 ms, 2 in use", [
      "/app/pool.py",
      4,
      'return lease.query("a")',
    ]);
    expect(await repaired("release", about, { "pool.py": pool('"b"') })).not.toBeNull();
    expect(await repaired("release", about, { "pool.py": pool('"""\n    b\n    """') })).toBeNull();
  });
});

describe("the repair of a shared default", () => {
  it("makes it in each call", async () => {
    const unix = {
      "tags.py": `def tagged(name, tags=[]):\n    tags.append(name)\n    return tags\n\n\ndef run(first):\n    tags = tagged(first)\n    if len(tags) > 1:\n        raise ValueError("too many tags")\n`,
    };
    const windows = { "tags.py": unix["tags.py"].replaceAll("\n", "\r\n") };
    const log = python("ValueError: too many tags", ["/app/tags.py", 9, 'raise ValueError("too many tags")']);
    const mended = unix["tags.py"]
      .replace("tags=[]", "tags=None")
      .replace("    tags.append", "    if tags is None:\n        tags = []\n    tags.append");
    expect(await repaired("default", log, unix)).toEqual({ "tags.py": mended });
    expect(await repaired("default", log, windows)).toEqual({ "tags.py": mended.replaceAll("\n", "\r\n") });
  });

  it.each([
    ["from __future__ import annotations\n", "list[str]", "list[str] | None"],
    ["def known(name: str | None):\n    return name\n", "list[str]", "list[str] | None"],
    ["from typing import List, Optional\n", "List[str]", "Optional[List[str]]"],
    ["from typing import Optional\n", "Optional[list]", "Optional[list]"],
    ["", "list[str]", "list[str]"],
  ])("lets its type be `None` where Python allows that: %j, %s", async (head, type, mended) => {
    const text = `${head}def tagged(name, tags: ${type} = []):\n    tags.append(name)\n    return tags\n\n\ndef run(first):\n    tags = tagged(first)\n    if len(tags) > 1:\n        raise ValueError("too many tags")\n`;
    const line = text.split("\n").length - 1;
    const log = python("ValueError: too many tags", ["/app/tags.py", line, 'raise ValueError("too many tags")']);
    const files = await repaired("default", log, { "tags.py": text });
    expect(files?.["tags.py"]).toContain(`def tagged(name, tags: ${mended} = None):`);
  });
});
