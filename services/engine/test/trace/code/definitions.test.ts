import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

const returned = "{\n    return null;\n  }";

describe("the function that a call reaches in JavaScript", () => {
  it.each([
    ["another name of it", `const find = () => ${returned};\nconst get = find;\nget().id;\n`],
    ["a bound one", `function find() ${returned}\nconst get = find.bind(store);\nget().id;\n`],
    ["a wrapped one", `const find = memoize(() => ${returned});\nfind().id;\n`],
    ["either of two", `const find = fast ? () => ${returned} : slow;\nfind().id;\n`],
    ["the one that stands in", `const find = given ?? (() => ${returned});\nfind().id;\n`],
    ["what another function returns", `const maker = () => () => ${returned};\nconst find = maker();\nfind().id;\n`],
    ["an entry of a table", `const table = { find: () => ${returned} };\ntable[name]().id;\n`],
    ["an object's method", `const store = { find() ${returned} };\nstore.find().id;\n`],
    ["a method that is spread", `const base = { find() ${returned} };\nconst store = { ...base };\nstore.find().id;\n`],
    [
      "a prototype's method",
      `function Store() {}\nStore.prototype.find = function () ${returned};\nnew Store().find().id;\n`,
    ],
    ["an instance's method", `class Store { find() ${returned} }\nconst store = new Store();\nstore.find().id;\n`],
    ["a static method", `class Store { static find() ${returned} }\nStore.find().id;\n`],
    ["a private method", `class Store { #find() ${returned}\n show() { return this.#find().id; } }\n`],
    ["an inherited method", `class Base { find() ${returned} }\nclass Store extends Base {}\nnew Store().find().id;\n`],
    [
      "the overridden method",
      `class Base { find() ${returned} }\nclass Store extends Base { find() { return super.find().id; } }\n`,
    ],
    [
      "a method of what the base's getter returns",
      `class Rows { find() ${returned} }\nclass Base { get rows() { return new Rows(); } }\nclass Store extends Base { show() { return super.rows.find().id; } }\n`,
    ],
    ["a getter", `class Store { get row() ${returned}\n show() { return this.row.id; } }\n`],
    [
      "a method of a field that the constructor makes",
      `class Rows { find() ${returned} }\nclass Store {\n  constructor() { this.rows = new Rows(); }\n  show() { return this.rows.find().id; }\n}\n`,
    ],
    [
      "a method of a field that the constructor is given",
      `class Rows { find() ${returned} }\nclass Store {\n  constructor(rows) { this.rows = rows; }\n  show() { return this.rows.find().id; }\n}\nnew Store(new Rows());\n`,
    ],
  ])("is %s", async (_, text) => {
    const line = text.split("\n").findIndex((one) => one.includes("return null")) + 1;
    expect(await originOf({ "show.js": text })).toEqual([`returns-nothing show.js:${line}`]);
  });

  it("is a package's, where its file was given and its entry wasn't", async () => {
    const files = {
      "show.js": 'import { find } from "rows";\nfind().id;\n',
      "node_modules/rows/lib/find.js": `export function find() ${returned}\n`,
    };
    expect(await originOf(files)).toEqual(["returns-nothing node_modules/rows/lib/find.js:2"]);
  });
});

describe("the function that a call reaches in another language", () => {
  const python = (...lines: readonly string[]) => ({ "show.py": `${lines.join("\n")}\n` });
  const method = "    def find(self):\n        return None";
  it.each([
    ["an instance's method", python("class Store:", method, "store = Store()", "store.find().id")],
    ["an inherited method", python("class Base:", method, "class Store(Base):", "    pass", "Store().find().id")],
    [
      "the overridden method",
      python("class Base:", method, "class Store(Base):", "    def find(self):", "        return super().find().id"),
    ],
    [
      "a method of what the base's property returns",
      python(
        ...["class Rows:", method, "class Base:", "    @property", "    def rows(self):", "        return Rows()"],
        ...["class Store(Base):", "    def show(self):", "        return super().rows.find().id"],
      ),
    ],
    [
      "the overridden method of the first base that has it",
      python(
        ...[
          "class Empty:",
          "    pass",
          "class Base:",
          method,
          "class Other:",
          "    def find(self):",
          "        return Row()",
        ],
        ...["class Store(Empty, Base, Other):", "    def find(self):", "        return super().find().id"],
      ),
    ],
    [
      "the method that comes before that of a base that both bases share",
      python(
        ...["class Root:", "    def find(self):", "        return Row()", "class Base(Root):", "    pass"],
        ...["class Other(Root):", method, "class Store(Base, Other):"],
        ...["    def find(self):", "        return super().find().id"],
      ),
    ],
    [
      "a property",
      python("class Store:", `    @property\n${method}`, "    def show(self):", "        return self.find.id"),
    ],
    ["an entry of a table", python("def find():", "    return None", "table = {'a': find}", "table[name]().id")],
    [
      "what another function returns",
      python(
        "def maker():",
        "    def find():",
        "        return None",
        "    return find",
        "find = maker()",
        "find().id",
      ),
    ],
    [
      "a method of a field",
      python(
        ...["class Rows:", method, "class Store:", "    def __init__(self):", "        self.rows = Rows()"],
        ...["    def show(self):", "        return self.rows.find().id"],
      ),
    ],
  ])("is %s in Python", async (_, files) => {
    const line = files["show.py"].split("\n").findIndex((one) => one.includes("return None")) + 1;
    expect(await originOf(files)).toEqual([`returns-nothing show.py:${line}`]);
  });

  it("isn't guessed where super() has arguments in Python", async () => {
    const files = python(
      ...["class Root:", "    def find(self):", "        return Row()", "class Base(Root):", method],
      ...["class Store(Base):", "    def find(self):", "        return super(Base, self).find().id"],
    );
    expect(await originOf(files)).not.toContain("returns-nothing show.py:6");
  });

  const found = "  def find\n    nil\n  end\n";
  it.each([
    ["an instance's method", `class Store\n${found}end\nstore = Store.new\nstore.find.id\n`],
    ["an inherited method", `class Base\n${found}end\nclass Store < Base\nend\nStore.new.find.id\n`],
    [
      "the override of an empty method",
      `class Page < Base\n${found}end\nclass Base\n  def find\n  end\n  def show\n    find().id\n  end\nend\n`,
    ],
    ["a class's own method", `class Store\n${found.replace("find", "self.find")}end\nStore.find.id\n`],
    [
      "a method of an instance variable",
      `class Rows\n${found}end\nclass Store\n  def initialize\n    @rows = Rows.new\n  end\n  def show\n    @rows.find.id\n  end\nend\n`,
    ],
  ])("is %s in Ruby", async (_, text) => {
    const ends = await originOf({ "show.rb": text });
    expect(ends.filter((one) => one.startsWith("returns-nothing"))).toEqual(["returns-nothing show.rb:3"]);
  });

  it("is a method of a pointer's type in Go", async () => {
    const text =
      "package main\n\ntype Store struct{}\n\nfunc (s *Store) find() *Row {\n\treturn nil\n}\n\nfunc show(s *Store) int {\n\treturn s.find().id\n}\n";
    expect(await originOf({ "show.go": text })).toContain("returns-nothing show.go:6");
  });

  it.each([
    ["an inherited method", "class Shop extends Base {\n  int show() {\n    return find().id;\n  }\n}\n"],
    ["the overridden method", "class Shop extends Base {\n  int show() {\n    return super.find().id;\n  }\n}\n"],
    [
      "a method of a field",
      "class Shop {\n  private final Base base = new Base();\n  int show() {\n    return base.find().id;\n  }\n}\n",
    ],
  ])("is %s in Java", async (_, text) => {
    const base = "class Base {\n  Row find() {\n    return null;\n  }\n}\n";
    expect(await originOf({ "Shop.java": text, "Base.java": base })).toContain("returns-nothing Base.java:3");
  });
});
