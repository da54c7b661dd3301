import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, stepsOf, traced, undefinedRead } from "../signals-in.ts";

describe("the value that was missing", () => {
  it("is the one before the property at the column, not the first on the line", async () => {
    const signals = await signalsIn(
      { "a.js": "const x = a.id + b.c.id;\n" },
      undefinedRead("id"),
      "f (/srv/a.js:1:22)",
    );
    expect(ofKind(signals, "bad-value")).toEqual([
      { line: 1, args: { expression: "b.c", path: ["b", "c"], was: "undefined", use: "read", member: "id" } },
    ]);
  });

  it.each([
    ["calls and elements", "list[0].get(key).size;", "size", "list[0].get(key)"],
    ["what is taken apart", "const { id } = load();", "id", "load()"],
    ["an optional chain further left", "a?.b.c.d;", "d", "a?.b.c"],
  ])("is named for %s", async (_, line, property, expression) => {
    const signals = await signalsIn({ "a.js": `${line}\n` }, undefinedRead(property), "f (/srv/a.js:1:1)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression });
  });

  it.each([
    ["TypeError: order.total is not a function", "order.total();", "order.total", "call"],
    ["TypeError: items is not iterable", "for (const one of items) use(one);", "items", "iterate"],
    ["TypeError: Cannot set properties of undefined (setting 'a')", "box.inner.a = 1;", "box.inner", "write"],
    ["ReferenceError: later is not defined", "use(later);", "later", "read"],
    ["TypeError: Cannot assign to read only property 'a' of object", "frozen.a = 1;", "frozen", "write"],
    ["TypeError: Cannot assign to read only property 'a' of object", "rest[key] = 1;", "rest", "write"],
    ["TypeError: Assignment to constant variable.", "limit = 1;", "limit", "write"],
    ["TypeError: Class extends value undefined is not a constructor or null", "class A extends B {}", "B", "operand"],
  ])("is read from %s", async (message, line, expression, use) => {
    const signals = await signalsIn({ "a.js": `${line}\n` }, message, "f (/srv/a.js:1:1)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression, use });
  });
});

describe("an element that is read by a computed key", () => {
  it("is what wasn't a function, rather than the key or the arguments of the call", async () => {
    const files = { "a.js": "const handlers = load();\nhandlers[event.type](body.total);\n" };
    const message = "TypeError: handlers[event.type] is not a function";
    const signals = await signalsIn(files, message, "f (/srv/a.js:2:21)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "handlers[event.type]", use: "call" });
    expect(stepsOf(signals)).toContain("assignment a.js:1");
  });

  it("is missing at its bracket, though a field on the line is named like the key", async () => {
    const message = "TypeError: Cannot set properties of undefined (setting 'total')";
    const signals = await signalsIn({ "a.js": "state[field] = action.total;\n" }, message, "f (/srv/a.js:1:6)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "state", use: "write" });
  });
});

describe("a failure while an error was being made", () => {
  it.each([
    ["another type", "RangeError"],
    ["the same type", "TypeError"],
  ])("is the runtime's, and isn't said to be thrown: %s", async (_, type) => {
    const files = { "a.js": `throw new ${type}(\`no \${order.row.id}\`);\n` };
    const column = files["a.js"].indexOf("id}") + 1;
    const signals = await signalsIn(files, undefinedRead("id"), `f (/srv/a.js:1:${column})`);
    expect(signals.map(({ kind }) => kind)).not.toContain("deliberate-throw");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "order.row" });
  });

  it("is the runtime's in a language without columns", async () => {
    const log = `Traceback (most recent call last):
  File "/srv/a.py", line 2, in show
    raise ValueError(order.row.id)
AttributeError: 'NoneType' object has no attribute 'id'
`;
    const { signals } = await traced(log, { "a.py": "def show(order):\n    raise ValueError(order.row.id)\n" });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "order.row" });
  });

  it("isn't one that the code throws with the same words", async () => {
    const message = undefinedRead("id");
    const files = { "a.js": `if (!row) throw new TypeError("${message.slice("TypeError: ".length)}");\n` };
    const signals = await signalsIn(files, message, "f (/srv/a.js:1:17)");
    expect(ofKind(signals, "deliberate-throw")).toHaveLength(1);
  });
});

describe("what was wrong", () => {
  it("is a list, rather than a map, if an index is out of range in Go", async () => {
    const log =
      "panic: runtime error: index out of range [2] with length 2\n\ngoroutine 1 [running]:\nmain.(*Scene).Find(...)\n\t/srv/scene.go:9\n";
    const files = {
      "scene.go":
        "package main\n\ntype Scene struct {\n\tfigures []Figure\n\tindex   map[string]int\n}\n\nfunc (s *Scene) Find(name string) *Figure {\n\treturn &s.figures[s.index[name]]\n}\n",
    };
    expect(ofKind((await traced(log, files)).signals, "bad-value")[0]?.args).toMatchObject({ expression: "s.figures" });
  });

  it.each([
    ['[#<struct Eye color="amber, slit", cents=480>, 2]:Array', "Array"],
    ["#<Fitting::Eye:0x00007f @cents=480>:Fitting::Eye", "Fitting::Eye"],
    ["an instance of Fitting::Eye", "Fitting::Eye"],
    ["nil:NilClass", "nil"],
  ])("is of the type that Ruby prints last: %s", async (printed, was) => {
    const log = `/srv/eye.rb:1:in \`show': undefined method \`size' for ${printed} (NoMethodError)\n`;
    const { signals } = await traced(log, { "eye.rb": "eye.size\n" });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "eye", was });
  });

  it("is shown without its type if it is taken apart where the function begins", async () => {
    const files = { "a.ts": "function show({ id }: Row) {\n  return id;\n}\n" };
    const signals = await signalsIn(files, undefinedRead("id"), "show (/srv/a.ts:1:17)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "{ id }", member: "id" });
  });
});

describe("a value that the error can't spell", () => {
  it("is said not to be iterable, rather than to be intermediate", async () => {
    const message = "TypeError: (intermediate value)(intermediate value) is not iterable";
    const signals = await signalsIn({ "a.js": "const [, end] = spanOf(day) ?? day;\n" }, message, "f (/srv/a.js:1:18)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ was: "not iterable" });
  });
});

describe("a value that was undefined or null, as the error says", () => {
  it("is not said to be one of them", async () => {
    const message = "TypeError: Cannot convert undefined or null to object";
    const signals = await signalsIn({ "a.js": "Object.keys(value);\n" }, message, "f (/srv/a.js:1:8)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "value", was: "undefined or null" });
  });
});

describe("an error that the code throws itself", () => {
  it("names the condition, and its operands are followed", async () => {
    const files = {
      "a.js":
        "function check(age) {\n  if (age < limit) throw new Error('too young');\n}\nconst limit = read();\ncheck(birth);\n",
    };
    const signals = await signalsIn(files, "Error: too young", "check (/srv/a.js:2:25)", "main (/srv/a.js:5:1)");
    expect(ofKind(signals, "deliberate-throw")).toEqual([
      { line: 2, args: { condition: "age < limit", isTrue: true } },
    ]);
    expect(stepsOf(signals)).toEqual(
      expect.arrayContaining(["parameter a.js:1", "argument a.js:5", "assignment a.js:4"]),
    );
  });

  it("names the condition of an earlier return", async () => {
    const files = {
      "a.js": "function get(map, key) {\n  if (map.has(key)) return map.get(key);\n  throw new Error('none');\n}\n",
    };
    const signals = await signalsIn(files, "Error: none", "get (/srv/a.js:3:9)");
    expect(ofKind(signals, "deliberate-throw")[0]?.args).toEqual({ condition: "map.has(key)", isTrue: false });
  });

  it("leads out of helpers that only throw, to the condition at their caller", async () => {
    const files = {
      "fail.js": "exports.fail = function fail(text) {\n  throw new Error(text);\n};\n",
      "a.js":
        "const { fail } = require('./fail');\nfunction load(row) {\n  if (!row.owner) fail('no owner');\n}\nload({ id: 1 });\n",
    };
    const signals = await signalsIn(
      files,
      "Error: no owner",
      "fail (/srv/fail.js:2:9)",
      "load (/srv/a.js:3:19)",
      "main (/srv/a.js:5:1)",
    );
    expect(ofKind(signals, "deliberate-throw").map(({ args }) => args)).toEqual([
      { condition: null, isTrue: true },
      { condition: "!row.owner", isTrue: true, isCall: true },
    ]);
    expect(stepsOf(signals)).toContain("missing-key a.js:5");
  });

  it("leads from an assertion to what its caller asserted", async () => {
    const files = {
      "assert.js": "exports.ensure = (value, text) => {\n  if (!value) throw new Error(text);\n};\n",
      "a.js":
        "const { ensure } = require('./assert');\nlet session;\nexports.open = () => {\n  ensure(session, 'no session');\n};\n",
    };
    const signals = await signalsIn(files, "Error: no session", "ensure (/srv/assert.js:2:21)", "open (/srv/a.js:4:3)");
    expect(stepsOf(signals)).toEqual(expect.arrayContaining(["argument a.js:4", "assignment a.js:2"]));
  });

  it("leads to what was tried before a catch threw again", async () => {
    const files = {
      "a.js":
        "function read(text) {\n  try {\n    return JSON.parse(text);\n  } catch (error) {\n    throw new Error('bad settings');\n  }\n}\n",
    };
    const signals = await signalsIn(files, "Error: bad settings", "read (/srv/a.js:5:11)");
    expect(stepsOf(signals)).toContain("parsed-text a.js:3");
  });
});

describe("a call that the runtime rejected", () => {
  it("is followed by its arguments", async () => {
    const files = { "a.js": 'const { config } = require("./config.js");\nnew URL(config.url);\n' };
    const signals = await signalsIn(
      files,
      "TypeError: Invalid URL",
      "new URL (node:internal/url:1:1)",
      "f (/srv/a.js:2:1)",
    );
    expect(ofKind(signals, "throw-site")).toEqual([{ line: 2, args: { expression: "URL" } }]);
    expect(stepsOf(signals)).toContain("setting a.js:2");
  });

  it("isn't followed when it came at the wrong time", async () => {
    const log =
      "Error: Cannot set headers after they are sent\n    at f (/srv/a.js:1:1) {\n  code: 'ERR_HTTP_HEADERS_SENT'\n}\n";
    expect((await traced(log, { "a.js": "reply.setHeader(name, value);\n" })).signals.map(({ kind }) => kind)).toEqual([
      "throw-site",
    ]);
  });
});
