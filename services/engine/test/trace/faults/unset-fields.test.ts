import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const log =
  "Traceback (most recent call last):\n  File \"/srv/a.py\", line 7, in add\n    self.rows.append(1)\nAttributeError: 'Desk' object has no attribute 'rows'\n";

const desk = (set = "self.day = 1", after = "", base = ""): string =>
  `class Desk${base}:\n    def __init__(self, name):\n        self.name = name\n        ${set}\n\n    def add(self):\n        self.rows.append(1)\n${after}`;

const unset = { field: "rows", className: "Desk" };

describe("a field that the constructor doesn't set", () => {
  const unsetIn = async (text: string) => ofKind((await traced(log, { "a.py": text })).signals, "unset-field");

  it("is named at the constructor", async () => {
    expect(await unsetIn(desk())).toEqual([{ line: 2, args: unset }]);
  });

  it.each([
    ["another method sets it", desk("self.day = 1", "\n    def open(self):\n        self.rows = []\n")],
    ["other code sets it", desk("self.day = 1", "\ndef open(desk):\n    desk.rows = []\n")],
    ["the class declares it", desk("self.day = 1", "    rows = None\n")],
    ["it is set by a computed name", desk("setattr(self, name, [])")],
    ["it is set past the class", desk("object.__setattr__(self, name, [])")],
    ["a function sets it", desk("fill(self)")],
    ["it is computed", desk("self.day = 1", "\n    @property\n    def rows(self):\n        return self.day\n")],
    ["all are set at once", desk("vars(self).update(name)")],
    ["a base class may set it", desk("self.day = 1", "", "(Office)")],
    ["it is a misspelled one", desk("self.rovs = []")],
    ["another class is meant", desk().replace("class Desk", "class Till")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await unsetIn(text)).toEqual([]);
  });

  it("isn't suspected where the class never reads it", async () => {
    const text = `${desk().replace("self.rows.append(1)", "add(self)")}def add(desk):\n    desk.rows.append(1)\n`;
    const { signals } = await traced(log.replace("line 7", "line 9"), { "a.py": text });
    expect(ofKind(signals, "unset-field")).toEqual([]);
  });

  it("is found in JavaScript and Ruby", async () => {
    const script =
      "class Desk {\n  constructor(name) {\n    this.name = name;\n  }\n  add() {\n    this.rows.push(1);\n  }\n}\n";
    const message = "TypeError: Cannot read properties of undefined (reading 'push')";
    const signals = await signalsIn({ "a.js": script }, message, "Desk.add (/srv/a.js:6:15)");
    expect(ofKind(signals, "unset-field")).toEqual([{ line: 2, args: unset }]);
    const typed = { "a.ts": script.replace("(name)", "(name, private rows)") };
    expect(ofKind(await signalsIn(typed, message, "Desk.add (/srv/a.ts:6:15)"), "unset-field")).toEqual([]);
    const ruby =
      "class Desk\n  def initialize(name)\n    @name = name\n  end\n\n  def add\n    @rows.push(1)\n  end\nend\n";
    const printed = "/srv/a.rb:7:in `add': undefined method `push' for nil:NilClass (NoMethodError)\n";
    expect(ofKind((await traced(printed, { "a.rb": ruby })).signals, "unset-field")).toEqual([
      { line: 2, args: unset },
    ]);
  });
});
