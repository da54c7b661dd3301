import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

const javascript = (made: string, base = "") =>
  `${base}class Page${base ? " extends Base" : ""} {\n${made}  show() {\n    return this.row.id;\n  }\n}\n`;
const python = (made: string, bases = "") =>
  `class Page${bases}:\n${made}    def show(self):\n        return self.row.id\n`;
const ruby = (made: string) => `class Page\n${made}  def show\n    @row.id\n  end\nend\n`;
const java = (made: string) => `class Shop {\n${made}  int show() {\n    return row.id;\n  }\n}\n`;

describe("a field of the object", () => {
  it("isn't a function without a name", async () => {
    const text = java(
      "  Map<String, List<Row>> rows = new HashMap<>();\n  void add(Row row) {\n    rows.computeIfAbsent(row.key, key -> new ArrayList<>());\n  }\n",
    );
    expect((await originOf({ "show.java": text })).join()).not.toContain("setting");
  });

  it.each([
    ["show.js", javascript("  constructor() {\n    this.row = null;\n  }\n"), "literal show.js:3"],
    ["show.js", javascript("  row = null;\n"), "literal show.js:2"],
    ["show.js", javascript("  get row() {\n    return null;\n  }\n"), "returns-nothing show.js:3"],
    ["show.js", javascript("", "class Base {\n  row = null;\n}\n"), "literal show.js:2"],
    ["show.py", python("    def __init__(self):\n        self.row = None\n"), "literal show.py:3"],
    ["show.py", python("    row = None\n"), "literal show.py:2"],
    ["show.py", python("    row: Row = None\n"), "literal show.py:2"],
    ["show.py", python("    @property\n    def row(self):\n        return None\n"), "returns-nothing show.py:4"],
    ["show.py", `class Base:\n    row = None\n${python("", "(Base)")}`, "literal show.py:2"],
    ["show.rb", ruby("  def initialize\n    @row = nil\n  end\n"), "literal show.rb:3"],
    ["show.java", java("  Row row = null;\n"), "literal show.java:2"],
    ["show.java", java("  Row row;\n"), "assignment show.java:2"],
  ])("leads to where it is set: %s, %j", async (file, text, origin) => {
    expect(await originOf({ [file]: text })).toEqual([origin]);
  });

  it.each([
    [
      "show.js",
      `${javascript("  constructor(row) {\n    this.row = row;\n  }\n")}new Page(null);\n`,
      "literal show.js:9",
    ],
    ["show.py", `${python("    def __init__(self, row):\n        self.row = row\n")}Page(None)\n`, "literal show.py:6"],
    ["show.rb", `${ruby("  def initialize(row)\n    @row = row\n  end\n")}Page.new(nil)\n`, "literal show.rb:9"],
    [
      "show.java",
      java(
        "  Row row;\n  Shop(Row row) {\n    this.row = row;\n  }\n  static Shop make() {\n    return new Shop(null);\n  }\n",
      ),
      "literal show.java:7",
    ],
  ])("leads to what its constructor is given: %s", async (file, text, origin) => {
    expect(await originOf({ [file]: text })).toContain(origin);
  });

  it.each([
    ["show.js", javascript("  constructor() {\n    this.total = 1;\n  }\n"), "missing-key show.js:2"],
    ["show.py", python("    def __init__(self):\n        self.total = 1\n"), "missing-key show.py:2"],
    ["show.rb", ruby(""), "missing-key show.rb:1"],
    [
      "show.go",
      "package main\n\ntype Page struct {\n\trow *Row\n}\n\nvar page = &Page{}\n\nfunc (p *Page) show() int {\n\treturn p.row.id\n}\n",
      "missing-key show.go:7",
    ],
  ])("is missing where the object is made, if nothing sets it: %s", async (file, text, origin) => {
    expect(await originOf({ [file]: text })).toEqual([origin]);
  });
});

describe("a field of any object", () => {
  const chest = (made: string) => `def show(chest):\n    return chest.key.id\n\ndef pack(rows):\n    return ${made}\n`;

  it("is set by an argument of its name", async () => {
    expect(await originOf({ "show.py": chest("Chest(rows, key=None)") })).toContain("literal show.py:5");
  });

  it.each(["sorted(rows, key=None)", "max(rows, key=None)"])("isn't set by an option of %s", async (made) => {
    expect((await originOf({ "show.py": chest(made) })).join()).not.toContain("show.py:5");
  });
});

describe("a field of a class that only declares it", () => {
  const record = (made: string, body = "") =>
    `@dataclass\nclass Slot:\n    row: Row\n    size: int\n${body}    def show(self):\n        return self.row.id\n\n${made}\n`;

  it.each([
    ["by position", "slot = Slot(None, 4)"],
    ["by name", "slot = Slot(size=4, row=None)"],
  ])("is given where an object is made: %s", async (_, made) => {
    expect(await originOf({ "show.py": record(made) })).toContain("literal show.py:8");
  });

  it("isn't given by position to a constructor that doesn't set it", async () => {
    const own = "    def __init__(self, size, row=None):\n        self.size = size\n";
    expect((await originOf({ "show.py": record("slot = Slot(None, 4)", own) })).join()).not.toContain("show.py:10");
  });
});

describe("a field that the class of an error has too", () => {
  const files = (on: string) => ({
    "show.py": `def show(${on}):\n    return ${on}.row.id\n\ndef check(row):\n    raise Refused(None)\n`,
    "errors.py": "class Refused(Exception):\n    def __init__(self, row):\n        self.row = row\n",
  });

  it("isn't set where that error is made", async () => {
    expect((await originOf(files("shift"))).join()).not.toContain("errors.py");
    expect(await originOf(files("shift"))).not.toContain("literal show.py:5");
  });

  it("is set there where it is read of an error", async () => {
    expect(await originOf(files("error"))).toContain("literal show.py:5");
  });
});

describe("a property that a descriptor defines", () => {
  const request = (defined: string) =>
    `const raw = { host: undefined };\nfunction Request() {}\n${defined}\nRequest.prototype.show = function () {\n  return this.row.id;\n};\n`;

  it.each([
    "Object.defineProperties(Request.prototype, { row: { get() { return raw.host; } } });",
    "Object.defineProperty(Request.prototype, 'row', { get() { return raw.host; } });",
  ])("leads into its getter: %s", async (defined) => {
    expect(await originOf({ "show.js": request(defined) })).toContain("literal show.js:1");
  });

  it("is an object like any other where nothing defines it", async () => {
    const text = request("Request.row = { get() { return raw.host; } };");
    expect(await originOf({ "show.js": text })).not.toContain("literal show.js:1");
  });
});

describe("a getter", () => {
  it.each([
    [
      "show.js",
      "class Order {\n  get row() {\n    return null;\n  }\n  show() {\n    return this.row.id;\n  }\n}\n",
      3,
    ],
    [
      "show.js",
      "class Order {\n  get row() {\n    return null;\n  }\n}\nconst order = new Order();\norder.row.id;\n",
      3,
    ],
    [
      "show.py",
      "class Order:\n    @property\n    def row(self):\n        return None\n\n    def show(self):\n        return self.row.id\n",
      4,
    ],
    ["show.rb", "class Order\n  def row\n    nil\n  end\n\n  def show\n    row.id\n  end\nend\n", 3],
  ])("is followed into: %s", async (file, text, line) => {
    expect(await originOf({ [file]: text })).toContain(`returns-nothing ${file}:${line}`);
  });

  it("that Ruby makes is followed into its field", async () => {
    const text =
      "class Order\n  attr_reader :row\n  def initialize\n    @row = nil\n  end\nend\norder = Order.new\norder.row.id\n";
    expect(await originOf({ "show.rb": text })).toContain("literal show.rb:4");
  });
});
