import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

const find = "function find() {\n  return null;\n}\n";

describe("a name that another module of JavaScript exports", () => {
  it.each([
    ["a declaration", `export ${find}`],
    ["a constant", "export const find = () => {\n  return null;\n};\n"],
    ["a name of its own", `${find.replace("find", "lookup")}export { lookup as find };\n`],
    ["a variable that is set later", "let find;\nfind = () => null;\nexport { find };\n"],
    ["`exports.name`", `exports.${find.replace("function find", "find = function")}`],
    ["`module.exports`", `${find}module.exports = { find };\n`],
    ["`module.exports` of a chain", `${find}module.exports = exports = { find };\n`],
    ["compiled code", `${find}exports.find = void 0;\nexports.find = find;\n`],
    ["a getter", `${find}Object.defineProperty(exports, "find", { get: function () { return find; } });\n`],
    ["a bundler's table", `${find}__export(index_exports, { find: () => find });\n`],
  ])("is found by %s", async (_, exporting) => {
    const importing = 'import { find } from "./store.js";\nfind().id;\n';
    expect(await originOf({ "show.js": importing, "store.js": exporting })).toEqual([
      expect.stringMatching(/^returns-nothing store\.js:[12]$/),
    ]);
  });

  it.each([
    ["a namespace", 'import * as store from "./store.js";\nstore.find().id;\n'],
    ["a part of `require`", 'const find = require("./store.js").find;\nfind().id;\n'],
    ["a pattern", 'const { find } = require("./store.js");\nfind().id;\n'],
    ["another name", 'import { find as get } from "./store.js";\nget().id;\n'],
    ["an interop call", 'const store_1 = __importStar(require("./store.js"));\n(0, store_1.find)().id;\n'],
    ["a dynamic import", 'const { find } = await import("./store.js");\nfind().id;\n'],
  ])("is found through %s", async (_, importing) => {
    expect(await originOf({ "show.js": importing, "store.js": `export ${find}` })).toEqual([
      "returns-nothing store.js:2",
    ]);
  });

  it.each([
    ["a name", 'export { find } from "./store.js";\n', "find().id;"],
    ["all names", 'export * from "./store.js";\n', "find().id;"],
    ["all names under one", 'export * as find from "./store.js";\n', "find.find().id;"],
    ["an imported name", 'import { find } from "./store.js";\nexport { find };\n', "find().id;"],
    ["the whole module", 'module.exports = require("./store.js");\n', "find().id;"],
  ])("is found behind a module that passes on %s", async (_, passing, use) => {
    const importing = `import { find } from "./index.js";\n${use}\n`;
    expect(await originOf({ "show.js": importing, "index.js": passing, "store.js": `export ${find}` })).toEqual([
      "returns-nothing store.js:2",
    ]);
  });

  it("is the default, however that is imported", async () => {
    const store = "export default {\n  find() {\n    return null;\n  },\n};\n";
    for (const importing of [
      'import store from "./store.js";\nstore.find().id;\n',
      'import * as all from "./store.js";\nall.default.find().id;\n',
    ])
      expect(await originOf({ "show.js": importing, "store.js": store })).toEqual(["returns-nothing store.js:3"]);
  });

  it("is missing where the module doesn't export it", async () => {
    const importing = 'import { row } from "./store.js";\nrow.id;\n';
    expect(await originOf({ "show.js": importing, "store.js": "export const rows = [];\n" })).toEqual([
      "missing-key store.js:1",
    ]);
  });

  it("isn't looked for without end in modules that pass on each other", async () => {
    const files = { "show.js": 'import { row } from "./a.js";\nrow.id;\n', "b.js": 'export * from "./a.js";\n' };
    expect(await originOf({ ...files, "a.js": 'export * from "./b.js";\n' })).toEqual(["missing-key a.js:1"]);
  });

  it("is a key of a data file", async () => {
    const importing = 'import data from "./rows.json" with { type: "json" };\ndata.row.id;\n';
    expect(await originOf({ "show.js": importing, "rows.json": '{\n  "total": 1\n}\n' })).toEqual([
      "missing-key rows.json:1",
    ]);
  });
});

describe("a name of another module in a language without a list of exports", () => {
  const python = "def find():\n    return None\n";
  it.each([
    ["from store import find\nfind().id\n", { "store.py": python }],
    ["from store import find as get\nget().id\n", { "store.py": python }],
    ["from store import *\nfind().id\n", { "store.py": python }],
    ["import store\nstore.find().id\n", { "store.py": python }],
    ["import shop.store\nshop.store.find().id\n", { "shop/__init__.py": "", "shop/store.py": python }],
    ["from shop import store\nstore.find().id\n", { "shop/__init__.py": "", "shop/store.py": python }],
    [
      "from shop import find\nfind().id\n",
      { "shop/__init__.py": "from .store import find\n", "shop/store.py": python },
    ],
  ])("is found in Python: %j", async (importing, others) => {
    expect(await originOf({ "show.py": importing, ...others })).toEqual([
      expect.stringMatching(/^returns-nothing (?:shop\/)?store\.py:2$/),
    ]);
  });

  it("is found in Ruby, in a file that is required and in a module", async () => {
    const use = (call: string) => `require_relative "store"\n${call}.id\n`;
    expect(await originOf({ "show.rb": use("find()"), "store.rb": "def find\n  nil\nend\n" })).toEqual([
      "returns-nothing store.rb:2",
    ]);
    const module = "module Store\n  def self.find\n    nil\n  end\nend\n";
    expect(await originOf({ "show.rb": use("Store.find"), "store.rb": module })).toEqual([
      "returns-nothing store.rb:3",
    ]);
  });

  it("is found in Go, in another file of the package and in another package", async () => {
    const own = "package main\n\nfunc show() int {\n\treturn find().id\n}\n";
    const store = (name: string) => `package store\n\nfunc ${name}() *Row {\n\treturn nil\n}\n`;
    expect(await originOf({ "show.go": own, "store.go": store("find") })).toEqual(["returns-nothing store.go:4"]);
    const other = 'package main\n\nimport "example.com/shop/store"\n\nfunc show() int {\n\treturn store.Find().id\n}\n';
    const files = { "show.go": other, "go.mod": "module example.com/shop\n", "store/store.go": store("Find") };
    expect(await originOf(files)).toEqual(["returns-nothing store/store.go:4"]);
  });

  it("is found in Java, in another class of the package", async () => {
    const files = {
      "Shop.java": "class Shop {\n  static int show() {\n    return Store.find().id;\n  }\n}\n",
      "Store.java": "class Store {\n  static Row find() {\n    return null;\n  }\n}\n",
    };
    expect(await originOf(files)).toEqual(["returns-nothing Store.java:3"]);
  });
});
