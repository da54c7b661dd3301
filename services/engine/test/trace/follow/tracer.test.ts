import { describe, expect, it } from "vitest";
import { endsOf, type Files, ofKind, signalsIn, stepsOf, traced, undefinedRead } from "../signals-in.ts";

/** The steps of a value that was undefined when a property of it was read, at the first place that reads it so. */
async function steps(files: Files, property: string, ...frames: readonly string[]): Promise<string[]> {
  return stepsOf(await signalsIn(files, undefinedRead(property), ...frames));
}

describe("a value", () => {
  it("is followed through a parameter into the call on the stack, not into others", async () => {
    const files = {
      "a.js": "exports.show = function show(order) {\n  return order.id;\n}\n",
      "b.js": "const { show } = require('./a');\nlet order;\nshow({}, order);\nfunction go() {\n  show(missing);\n}\n",
    };
    const found = await steps(files, "id", "show (/srv/a.js:2:16)", "go (/srv/b.js:5:3)");
    expect(found).toContain("argument b.js:5");
    expect(found).not.toContain("argument b.js:3");
  });

  it("is followed into every call when the stack shows none", async () => {
    const files = {
      "a.js": "export function show(order) {\n  return order.id;\n}\n",
      "b.js": "import { show as display } from './a.js';\nimport * as all from './a.js';\nall.show(null);\n",
    };
    expect(await steps(files, "id", "show (/srv/a.js:2:16)")).toContain("argument b.js:3");
  });

  it("names a literal by the whole chain of calls that it is an argument in", async () => {
    const files = {
      "a.js": `const shelves = new Map();
export function show(id) {
  return shelves.get(codeOf(id)).row;
}
function codeOf(id) {
  return id.replace("-", "_").toUpperCase();
}
`,
    };
    const found = ofKind(await signalsIn(files, undefinedRead("row"), "show (/srv/a.js:3:36)"), "value-step");
    const names = found.flatMap(({ args }) =>
      "how" in args && args.how === "literal" && "name" in args ? [args.name] : [],
    );
    expect(new Set(names)).toEqual(new Set(['id.replace("-", "_").toUpperCase()']));
  });

  it("is followed through an import to the function that returns nothing", async () => {
    const files = {
      "src/find.js": "export function find(id) {\n  if (id) return { id };\n}\n",
      "src/use.js": "import { find } from './find.js';\nconst found = find(0);\nfound.id;\n",
    };
    expect(await steps(files, "id", "file:///srv/src/use.js:3:7")).toContain("returns-nothing src/find.js:1");
  });

  it.each([
    ["if (id) return { id };", true],
    ["if (id) { return { id }; } else { return null; }", true],
    ["if (id) return { id };\n  throw new Error('none');", false],
    ["switch (id) { default: return { id }; }", false],
    ["try { return { id }; } finally { done(); }", false],
    ["while (true) { if (id) return { id }; }", false],
  ])("may be the result of a function that ends with %s", async (body, isSilent) => {
    const files = { "a.js": `function find(id) {\n  ${body}\n}\nconst found = find(0);\nfound.id;\n` };
    const line = files["a.js"].split("\n").indexOf("found.id;") + 1;
    const found = await steps(files, "id", `f (/srv/a.js:${line}:7)`);
    expect(found.some((step) => step.startsWith("returns-nothing"))).toBe(isSilent);
  });

  it("isn't followed into returns that can't be undefined", async () => {
    const files = {
      "a.js":
        "function make(kind) {\n  if (kind) return { a: 1 };\n  if (!kind) return new Map();\n  return null;\n}\nconst made = make(1);\nmade.a;\n",
    };
    const found = await steps(files, "a", "f (/srv/a.js:7:6)");
    expect(found).toContain("returns-nothing a.js:4");
    expect(found).not.toContain("return a.js:2");
    expect(found).not.toContain("return a.js:3");
  });

  it("is followed to the last write before it, and not to one that another write replaced", async () => {
    const files = { "a.js": "let x = first();\nx = second();\nx.id;\n" };
    expect(await steps(files, "id", "f (/srv/a.js:3:3)")).toEqual(["assignment a.js:2", "call a.js:2"]);
  });

  it("is followed through destructuring and object literals to the requested key", async () => {
    const files = {
      "a.js": "function load() {\n  return { id: 1, price: row.cost };\n}\nconst { price } = load();\nprice.amount;\n",
    };
    expect(endsOf(await signalsIn(files, undefinedRead("amount"), "f (/srv/a.js:5:7)"))).toContain("property a.js:2");
  });

  it("says at each step what is set, and which variable, fields, and key it is read from", async () => {
    const files = {
      "a.js":
        "export function show({ price: { amount: cost } }) {\n  return cost.value;\n}\nconst order = load();\nlet price;\nprice = order.total;\nshow({ price: { amount: price } });\n",
    };
    const found = ofKind(await signalsIn(files, undefinedRead("value"), "show (/srv/a.js:2:15)"), "value-step");
    const said = (line: number): object[] => found.filter((step) => step.line === line).map(({ args }) => args);
    expect(said(1)).toMatchObject([{ how: "parameter", name: "cost", keys: ["price", "amount"] }]);
    expect(said(6)).toMatchObject([
      { assigned: { target: "price", value: "order.total", isPattern: false }, path: ["order", "total"] },
      { how: "property", path: ["order", "total"] },
    ]);
  });

  it("says which variable a shorthand of an object is read from", async () => {
    const files = {
      "a.js":
        "function f(order) {\n  return order.cost.x;\n}\nfunction g(cart) {\n  const cost = cart.total;\n  f({ cost });\n}\n",
    };
    const found = ofKind(await signalsIn(files, undefinedRead("x"), "f (/srv/a.js:2:21)"), "value-step");
    expect(found).toContainEqual({ line: 6, args: expect.objectContaining({ how: "property", path: ["cost"] }) });
  });

  it("names all variables that the results of a call are set to", async () => {
    const code = "package main\n\nfunc main() {\n\tconf, err := load()\n\t_ = err\n\tprint(conf.Name)\n}\n";
    const panic = [
      "panic: runtime error: invalid memory address or nil pointer dereference",
      "",
      "goroutine 1 [running]:",
      "main.main()",
      "\t/srv/main.go:6 +0x1",
    ];
    const { signals } = await traced(panic.join("\n"), { "main.go": code });
    const assigned = { target: "conf, err", value: "load()", isPattern: true };
    expect(ofKind(signals, "value-step")[0]?.args).toMatchObject({ assigned });
  });

  it("isn't looked for as missing in an object when it was present and wrong", async () => {
    const files = {
      "routes.js":
        "import { greet } from './greet.js';\nexport function show(request) {\n  return greet(request.headers.cookie);\n}\n",
      "greet.js": "export function greet(cookie) {\n  return decodeURIComponent(cookie);\n}\n",
      "client.js": "export function order() {\n  return fetch('/orders', { headers: { accept: 'json' } });\n}\n",
    };
    const frames = ["greet (/srv/greet.js:2:10)", "show (/srv/routes.js:3:10)"];
    const steps = stepsOf(await signalsIn(files, "URIError: URI malformed", ...frames));
    expect(steps).toContain("property routes.js:3");
    expect(steps.filter((step) => step.startsWith("missing-key"))).toEqual([]);
  });

  it("ends at the object that was created without the key, or with one that is spelled almost like it", async () => {
    const missing = { "a.js": "const order = { id: 1 };\norder.total.amount;\n" };
    expect(endsOf(await signalsIn(missing, undefinedRead("amount"), "f (/srv/a.js:2:13)"))).toEqual([
      "missing-key a.js:1",
    ]);
    const misspelled = { "a.js": "const order = {\n  id: 1,\n  totel: sum,\n};\norder.total.amount;\n" };
    expect(endsOf(await signalsIn(misspelled, undefinedRead("amount"), "f (/srv/a.js:5:13)"))).toEqual([
      "setting a.js:3",
    ]);
  });

  it("is followed into the list given to `map`, and out of the elements of loops", async () => {
    const files = {
      "a.js":
        "function toRow(raw) {\n  return { at: raw.seen_at };\n}\nconst rows = raws.map(toRow);\nfor (const row of rows) {\n  row.at.trim();\n}\n",
    };
    const found = await steps(files, "trim", "f (/srv/a.js:6:10)");
    expect(found).toEqual(expect.arrayContaining(["iteration a.js:5", "property a.js:2"]));
  });

  it("is followed through a component's properties", async () => {
    const files = {
      "card.jsx":
        "function Card({ user }) {\n  return <b>{user.name}</b>;\n}\nexport const Page = ({ data }) => <Card user={data.owner} />;\n",
    };
    expect(await steps(files, "name", "Card (/srv/card.jsx:2:22)")).toContain("property card.jsx:4");
  });

  it("is followed into callbacks that a function calls by the name of its parameter", async () => {
    const files = {
      "a.js": "function each(rows, visit) {\n  visit(rows.first);\n}\neach(rows, (row) => {\n  row.id;\n});\n",
    };
    expect(await steps(files, "id", "<anonymous> (/srv/a.js:5:7)")).toContain("property a.js:2");
  });

  it("is followed from a handler to the value that the event was emitted with", async () => {
    const files = { "a.js": "bus.on('paid', (order) => {\n  order.id;\n});\nbus.emit('paid', cart.order);\n" };
    expect(await steps(files, "id", "<anonymous> (/srv/a.js:2:9)")).toContain("property a.js:4");
  });

  it("is followed to what a promise was resolved with", async () => {
    const files = {
      "a.js":
        "function load() {\n  return new Promise((resolve) => {\n    setTimeout(() => resolve(), 1);\n  });\n}\nasync function run() {\n  const row = await load();\n  row.id;\n}\n",
    };
    expect(await steps(files, "id", "async run (/srv/a.js:8:7)")).toContain("return a.js:3");
  });

  it("isn't followed in circles", async () => {
    const files = { "a.js": "let a = b;\nlet b = a;\nfunction f(x) { return f(f(x)); }\na = f(b);\na.id;\n" };
    expect((await signalsIn(files, undefinedRead("id"), "f (/srv/a.js:5:3)")).length).toBeLessThan(60);
  });

  it("says at each step where it leads", async () => {
    const files = { "a.js": "const order = load();\norder.id;\n" };
    const [site, assigned, call] = await signalsIn(files, undefinedRead("id"), "f (/srv/a.js:2:7)");
    expect(site).toMatchObject({ kind: "bad-value", steps: 0, isEnd: false, towards: null });
    expect(assigned).toMatchObject({ kind: "value-step", steps: 1, isEnd: false, towards: site });
    expect(call).toMatchObject({ kind: "value-step", steps: 2, isEnd: true, towards: assigned });
  });
});

describe("a field", () => {
  it("is followed to where another method writes it", async () => {
    const files = {
      "a.js":
        "class Box {\n  open() {\n    return this.lid.angle;\n  }\n  close(lid) {\n    this.lid = lid;\n  }\n}\nnew Box().close(undefined);\n",
    };
    expect(await steps(files, "angle", "Box.open (/srv/a.js:3:21)")).toEqual(
      expect.arrayContaining(["assignment a.js:6", "argument a.js:9"]),
    );
  });

  it("is missing in the constructor when nothing writes it", async () => {
    const files = {
      "a.js":
        "class Box {\n  constructor() {\n    this.size = 1;\n  }\n  open() {\n    return this.lid.angle;\n  }\n}\n",
    };
    expect(endsOf(await signalsIn(files, undefinedRead("angle"), "Box.open (/srv/a.js:6:21)"))).toEqual([
      "missing-key a.js:2",
    ]);
  });

  it("is followed to the prototype and to constructor functions", async () => {
    const files = {
      "a.js":
        "function Box(lid) {\n  this.lid = lid;\n}\nBox.prototype.open = function () {\n  return this.lid.angle;\n};\nvar box = new Box();\n",
    };
    expect(await steps(files, "angle", "Box.open (/srv/a.js:5:19)")).toEqual(
      expect.arrayContaining(["assignment a.js:2", "argument a.js:7"]),
    );
  });

  it("of a context that another file fills is found there", async () => {
    const files = {
      "handler.js": "exports.handle = (context) => {\n  return context.account.id;\n};\n",
      "middleware.js":
        "exports.login = (context, next) => {\n  context.account = lookUp(context.token);\n  next();\n};\n",
    };
    expect(await steps(files, "id", "handle (/srv/handler.js:2:26)")).toContain("assignment middleware.js:2");
  });

  it("that a function writes to its argument is found there", async () => {
    const files = {
      "a.js":
        "const made = {};\nfill(made, 'a', 1);\nmade.total.sum;\nfunction fill(object, key, value) {\n  object[key] = value;\n}\n",
    };
    expect(await steps(files, "sum", "f (/srv/a.js:3:12)")).toEqual(
      expect.arrayContaining(["call a.js:2", "assignment a.js:5"]),
    );
  });

  it("that several functions write is shared", async () => {
    const files = {
      "a.js":
        "let current = null;\nfunction set(one) {\n  current = one;\n}\nfunction clear() {\n  current = null;\n}\nfunction show() {\n  return current.id;\n}\n",
    };
    const signals = await signalsIn(
      files,
      "TypeError: Cannot read properties of null (reading 'id')",
      "show (/srv/a.js:9:18)",
    );
    expect(ofKind(signals, "shared-state")).toEqual([{ line: 1, args: { name: "current", writers: 2 } }]);
  });
});

describe("the end of a trail", () => {
  it.each([
    ["process.env.MAIL_HOST", "environment a.js:1"],
    ["process.env['MAIL_HOST']", "environment a.js:1"],
    ["JSON.parse(text).host", "parsed-text a.js:1"],
    ["(await (await fetch(url)).json()).host", "outside-answer a.js:1"],
    ["(await request.json()).host", "incoming-body a.js:1"],
    ["options.host || null", "fallback a.js:1"],
    ["undefined", "literal a.js:1"],
  ])("of %s is %s", async (expression, step) => {
    const files = { "a.js": `const host = ${expression};\nhost.split(':');\n` };
    expect(await steps(files, "split", "f (/srv/a.js:2:6)")).toContain(step);
  });

  it("names the last call of a chain that is too long to quote", async () => {
    const columns = Array.from({ length: 40 }, (_, index) => `column_${index}`).join(", ");
    const files = { "a.js": `const row = db.prepare("SELECT ${columns} FROM rows").get(id);\nrow.id;\n` };
    const signals = await signalsIn(files, undefinedRead("id"), "f (/srv/a.js:2:5)");
    const code = expect.stringMatching(/^db\.prepare\("SELECT column_0, .*…\.get\(id\)$/);
    expect(ofKind(signals, "value-step")).toContainEqual({ line: 1, args: expect.objectContaining({ code }) });
  });

  it("is the key of a data file, or one that is spelled almost like it", async () => {
    const code = "const settings = require('./settings.json');\nsettings.limits.max;\n";
    const frames = "f (/srv/a.js:2:17)";
    expect(await steps({ "a.js": code, "settings.json": '{\n  "limits": null\n}\n' }, "max", frames)).toContain(
      "data settings.json:2",
    );
    expect(await steps({ "a.js": code, "settings.json": '{\n  "limts": {}\n}\n' }, "max", frames)).toContain(
      "setting settings.json:2",
    );
  });

  it("is the key of a data file in any case in Go, whose decoder ignores it", async () => {
    const log =
      "panic: runtime error: integer divide by zero\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:5 +0x1d\n";
    const files = {
      "main.go": 'package main\n\nfunc main() {\n\tblend, _ := Load("blend.json")\n\tprintln(1 / blend.Leaves)\n}\n',
      "load.go":
        "package main\n\nfunc Load(path string) (*Blend, error) {\n\ttext, _ := os.ReadFile(path)\n\tvar blend Blend\n\terr := json.Unmarshal(text, &blend)\n\treturn &blend, err\n}\n",
      "blend.json": '{ "name": "Breakfast",\n  "leaves": 0 }\n',
    };
    expect(stepsOf((await traced(log, files)).signals)).toContain("data blend.json:2");
  });

  it("is where a lookup's key is built differently", async () => {
    const files = {
      "a.js":
        "const byKey = new Map();\nfunction add(user) {\n  byKey.set(user.mail.toLowerCase(), user);\n}\nfunction find(mail) {\n  return byKey.get(mail);\n}\nconst found = find(input);\nfound.id;\n",
    };
    expect(await steps(files, "id", "f (/srv/a.js:9:7)")).toEqual(
      expect.arrayContaining(["lookup a.js:6", "argument a.js:3"]),
    );
  });

  it("is the loop that runs once too often", async () => {
    const files = { "a.js": "for (let i = 0; i <= rows.length; i++) {\n  rows[i].id;\n}\n" };
    expect(await steps(files, "id", "f (/srv/a.js:2:11)")).toContain("overrun a.js:1");
  });
});

describe("modules", () => {
  it.each([
    ["module.exports = { find };", "const { find } = require('./find');"],
    ["exports.find = find;", "const { find } = require('./find');"],
    ["module.exports = find;", "const find = require('./find');"],
    ["export { find };", "import { find } from './find.js';"],
    ["export default find;", "import find from './find.js';"],
    [
      "Object.defineProperty(exports, 'find', { get: function () { return find; } });",
      "const { find } = require('./find');",
    ],
    ["exports.find = find;", "const lib_1 = __importDefault(require('./find'));\nconst find = lib_1.find;"],
  ])("re-export a function by %s", async (exporting, importing) => {
    const files = {
      "lib/find.js": `function find(id) {\n  return null;\n}\n${exporting}\n`,
      "lib/use.js": `${importing}\nconst found = find(1);\nfound.id;\n`,
    };
    const line = files["lib/use.js"].split("\n").indexOf("found.id;") + 1;
    const found = await steps(files, "id", `f (/srv/lib/use.js:${line}:7)`);
    expect(found).toContain("returns-nothing lib/find.js:2");
  });

  it("of a package are found by its package.json", async () => {
    const files = {
      "node_modules/shelf/package.json": '{"name":"shelf","main":"./lib/main.js"}',
      "node_modules/shelf/lib/main.js": "module.exports = require('./books');\n",
      "node_modules/shelf/lib/books.js": "exports.take = function take() {};\n",
      "app.js": "const shelf = require('shelf');\nconst book = shelf.take();\nbook.title;\n",
    };
    expect(await steps(files, "title", "f (/srv/app.js:3:6)")).toContain(
      "returns-nothing node_modules/shelf/lib/books.js:1",
    );
  });
});
