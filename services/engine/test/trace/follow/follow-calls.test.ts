import { describe, expect, it } from "vitest";
import { failing, originOf } from "../failing.ts";
import { endsOf, signalsIn, stepsOf, traced } from "../signals-in.ts";

describe("the result of a call", () => {
  it("is there if a constructor made it", async () => {
    const text =
      "class Page {\n  constructor(name) {\n    this.name = name;\n  }\n}\nconst pages = names.map((name) => new Page(name));\nconst page = pages.map(shown)[0];\npage.id;\n";
    expect((await originOf({ "show.js": text })).join()).not.toContain("returns-nothing");
  });

  it.each([
    [
      "what its callback returns",
      "const rows = ids.reduce((best, one) => {\n  return null;\n});\nrows.id;\n",
      ["returns-nothing show.js:2"],
    ],
    ["what `then` is given", "const row = await load().then((rows) => rows.first);\nrow.id;\n", ["call show.js:1"]],
    [
      "what a promise is resolved with",
      "const load = () => new Promise((resolve) => {\n  resolve(null);\n});\nconst row = await load();\nrow.id;\n",
      ["literal show.js:2"],
    ],
    [
      "a field that its constructor sets",
      "class Page {\n  constructor() {\n    this.row = null;\n  }\n}\nnew Page().row.id;\n",
      ["literal show.js:3"],
    ],
    [
      "a response",
      "const response = await fetch(url);\nconst body = await response.json();\nbody.row.id;\n",
      ["outside-answer show.js:2"],
    ],
    [
      "a request's body",
      "async function show(req) {\n  const body = await json(req);\n  return body.row.id;\n}\n",
      ["incoming-body show.js:2"],
    ],
    [
      "what it looks for",
      "function show(wanted) {\n  const row = rows.find((one) => one.key === wanted);\n  return row.id;\n}\nshow(process.env.KEY);\n",
      ["environment show.js:5"],
    ],
  ])("leads to %s", async (_, text, origin) => {
    expect(await originOf({ "show.js": text })).toEqual(origin);
  });

  it.each([
    ["show.py", "import json\ndata = json.loads(text)\ndata.get('row').id\n", "parsed-text show.py:2"],
    ["show.py", "row = next((one for one in rows if one.key == key), None)\nrow.id\n", "literal show.py:1"],
    ["show.py", "def find():\n    return 1, None\ncount, row = find()\nrow.id\n", "returns-nothing show.py:2"],
    ["show.rb", "rows = keys.map { |key| nil }\nrows.first.id\n", "literal show.rb:1"],
    [
      "show.go",
      "package main\n\nfunc find() (*Row, error) {\n\treturn nil, nil\n}\n\nfunc show() int {\n\trow, _ := find()\n\treturn row.id\n}\n",
      "returns-nothing show.go:4",
    ],
    [
      "show.java",
      "class Shop {\n  Row row;\n  Row getRow() {\n    return row;\n  }\n  int show() {\n    return getRow().id;\n  }\n}\n",
      "assignment show.java:2",
    ],
  ])("leads in %s to where it is made: %j", async (file, text, origin) => {
    expect(await originOf({ [file]: text })).toEqual([origin]);
  });
});

describe("a call of a package that wasn't given", () => {
  it.each([
    {
      "quiz/show.go": "package quiz\n\nfunc Make(row *Row) int {\n\treturn row.id\n}\n",
      "main.go":
        'package main\n\nimport (\n\t"errors"\n\t"shop/quiz"\n)\n\nfunc main() {\n\tquiz.Make(nil)\n\terrors.Make(answer.Status)\n}\n',
    },
    {
      "show.py": "def make(row):\n    return row.id\n",
      "main.py": "import records\nfrom show import make\n\nmake(None)\nrecords.make(answer.status)\n",
    },
    {
      "show.js": "exports.make = (row) => {\n  return row.id;\n};\n",
      "main.js":
        "const records = require('records');\nconst { make } = require('./show');\n\nmake(undefined);\nrecords.make(answer.status);\n",
    },
  ])("isn't one of a function of the same name: %j", async (files) => {
    const { log } = failing(files);
    const steps = stepsOf((await traced(log, files)).signals).join("\n");
    const [, main] = Object.keys(files);
    expect(steps).toMatch(new RegExp(`literal ${main}:(?:9|4)`));
    expect(steps).not.toMatch(new RegExp(`${main}:(?:10|5)`));
  });
});

describe("a conversion", () => {
  it.each([
    ["Number(order.total)", "!total"],
    ["parseInt(order.total, 10)", "!total"],
    ["Number(order.total)", "Number.isNaN(total)"],
    ["parseFloat(order.total)", "!(total > 0)"],
    ["String(order.total).trim()", 'total === "none"'],
    ["JSON.parse(order.total)", "total > 9"],
  ])("leads on to what it was given: %s where %s", async (conversion, condition) => {
    const show = `function show(order) {\n  const total = ${conversion};\n  if (${condition}) throw new Error("bad");\n}\n`;
    const signals = await signalsIn({ "a.js": show }, "Error: bad", `show (/srv/a.js:3:${10 + condition.length})`);
    expect(stepsOf(signals)).toContain("property a.js:2");
    expect(endsOf(signals)).toContain("parameter a.js:1");
  });

  it("leads on in Python, too", async () => {
    const log = `Traceback (most recent call last):\n  File "/srv/a.py", line 4, in show\n    raise BadTotal()\nBadTotal\n`;
    const text = "def show(order):\n    total = int(order['total'], 16)\n    if not total:\n        raise BadTotal()\n";
    expect(endsOf((await traced(log, { "a.py": text })).signals)).toContain("parameter a.py:1");
  });

  it("is followed to a literal that is all it was given", async () => {
    const files = { "a.js": 'const total = Number("12 EUR");\nif (total < least) throw new Error("bad");\n' };
    expect(endsOf(await signalsIn(files, "Error: bad", "show (/srv/a.js:2:25)"))).toContain("literal a.js:1");
  });
});

describe("a function with several returns", () => {
  const show = (spelled: string): string =>
    `TypeError: Cannot read properties of ${spelled} (reading 'id')\n    at show (/srv/show.js:3:16)\n`;
  const files = {
    "show.js": "import { find } from './find.js';\nexport function show(key) {\n  return find(key).id;\n}\n",
    "find.js":
      "export function find(key) {\n  if (key === 0) return null;\n  if (!key) {\n    return;\n  }\n  return { id: key };\n}\n",
  };

  it.each([
    ["undefined", "returns-nothing find.js:4"],
    ["null", "returns-nothing find.js:2"],
  ])("gave %s at the one that gives it", async (spelled, origin) => {
    expect(endsOf((await traced(show(spelled), files)).signals)).toEqual([origin]);
  });

  it("gave `undefined` where it ended without one, rather than where it returns `null`", async () => {
    const silent = "export function find(key) {\n  if (!key) return null;\n  if (rows[key]) return { id: key };\n}\n";
    const { signals } = await traced(show("undefined"), { ...files, "find.js": silent });
    expect(endsOf(signals)).toEqual(["returns-nothing find.js:1"]);
  });

  it("gave nothing in Python at its bare `return`", async () => {
    const text =
      "def show(key):\n    return find(key).id\n\ndef find(key):\n    if key == 0:\n        return Row(0)\n    if not key:\n        return\n    return Row(key)\n";
    expect(await originOf({ "show.py": text })).toContain("returns-nothing show.py:8");
  });
});
