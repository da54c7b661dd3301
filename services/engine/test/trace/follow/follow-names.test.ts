import { describe, expect, it } from "vitest";
import { failing, originOf } from "../failing.ts";
import { ofKind, traced } from "../signals-in.ts";

describe("a parameter", () => {
  it.each([
    ["what its call passes", "function show(row) {\n  return row.id;\n}\nshow(null);\n", "literal show.js:4"],
    ["a call without it", "function show(row) {\n  return row.id;\n}\nshow();\n", "argument show.js:4"],
    ["its default", "function show(row = null) {\n  return row.id;\n}\nshow();\n", "fallback show.js:1"],
    [
      "a field of what is passed",
      "function show({ row }) {\n  return row.id;\n}\nshow({ row: null });\n",
      "literal show.js:4",
    ],
    ["one of the rest", "function show(...rows) {\n  return rows[0].id;\n}\nshow(undefined);\n", "literal show.js:4"],
    ["what is spread", "function show(row) {\n  return row.id;\n}\nshow(...rows);\n", "argument show.js:4"],
  ])("leads to %s", async (_, text, origin) => {
    expect(await originOf({ "show.js": text })).toEqual([origin]);
  });

  it.each([
    ["show.py", "def show(row=None):\n    return row.id\nshow()\n", "fallback show.py:1"],
    ["show.py", "def show(all, row=None):\n    return row.id\nshow(1, row=None)\n", "literal show.py:3"],
    ["show.rb", "def show(row: nil)\n  row.id\nend\nshow\n", "fallback show.rb:1"],
    [
      "show.java",
      "class Shop {\n  static int show(Row row) {\n    return row.id;\n  }\n  static void main() {\n    show(null);\n  }\n}\n",
      "literal show.java:6",
    ],
  ])("leads in %s to what its call passes, or its default: %j", async (file, text, origin) => {
    expect(await originOf({ [file]: text })).toEqual([origin]);
  });
});

describe("a field that a parameter takes out of what is passed", () => {
  const show = "function show({ row = null }) {\n  return row.id;\n}\n";

  it("leads to its default, where the call may lack the field", async () => {
    expect(await originOf({ "show.js": `${show}show(load());\n` })).toContain("fallback show.js:1");
  });

  it("doesn't lead to a default that isn't what was missing", async () => {
    const text = `${show.replace("null", "{}")}show(load());\n`;
    expect(await originOf({ "show.js": text })).not.toContain("fallback show.js:1");
  });
});

describe("a parameter of a Ruby block", () => {
  it.each([
    ["the value of an entry", "rows = {}\nrows[key] = nil\nrows.count { |label, row|\n  row.id }\n"],
    ["an element of each list", "all = [[1, 2,\n  nil]]\nall.each { |label, size, row|\n  row.id }\n"],
    ["an element", "rows = []\nrows << nil\nrows.any? { |row|\n  row.id }\n"],
  ])("leads to %s", async (_, text) => {
    expect(await originOf({ "show.rb": text })).toContain("literal show.rb:2");
  });

  it("isn't an element where it is the index", async () => {
    const text = "rows = []\nrows << nil\nrows.each_with_index { |label, row|\n  row.id }\n";
    expect(await originOf({ "show.rb": text })).not.toContain("literal show.rb:2");
  });
});

describe("a variable", () => {
  it("leads to the field that was set in it", async () => {
    expect(await originOf({ "show.js": "const order = {};\norder.row = null;\norder.row.id;\n" })).toEqual([
      "literal show.js:2",
    ]);
  });

  it("leads to the function that it is passed to, which sets the field", async () => {
    const text = "function fill(order) {\n  order.row = null;\n}\nconst order = {};\nfill(order);\norder.row.id;\n";
    expect(await originOf({ "show.js": text })).toContain("assignment show.js:2");
  });

  it.each([
    ["show.js", "const rows = [];\nrows.push(null);\nfor (const row of rows) row.id;\n"],
    ["show.py", "rows = []\nrows.append(None)\nfor row in rows:\n    row.id\n"],
    ["show.py", "rows = deque()\nrows.appendleft(None)\nfor row in rows:\n    row.id\n"],
    ["show.rb", "rows = []\nrows.prepend(nil)\nrows.each do |row|\n  row.id\nend\n"],
  ])("leads to what is added to it: %s", async (file, text) => {
    expect(await originOf({ [file]: text })).toContain(`literal ${file}:2`);
  });

  it.each([
    [
      "show.js",
      "let row;\nexport function set(one) {\n  row = one;\n}\nexport function show() {\n  return row.id;\n}\n",
    ],
    ["show.py", "row = None\ndef fill(one):\n    global row\n    row = one\ndef show():\n    return row.id\n"],
  ])("is shared state where other functions write it: %s", async (file, text) => {
    const files = { [file]: text };
    const { signals } = await traced(failing(files).log, files);
    expect(ofKind(signals, "shared-state")).toEqual([{ line: 1, args: { name: "row", writers: 1 } }]);
  });
});

describe("a parameter of a nameless function that is passed to a call", () => {
  const stepOf = async (text: string): Promise<object | undefined> => {
    const { log, files } = failing({ "show.js": text });
    const steps = ofKind((await traced(log, files)).signals, "value-step");
    return steps.map(({ args }) => args).find((args) => "how" in args && args.how === "parameter");
  };

  it("is marked, since the function around it has no such parameter", async () => {
    const text = "function show(link) {\n  link.once('hello', (row) => row.id);\n}\n";
    expect(await stepOf(text)).toMatchObject({ name: "row", isCallback: true });
  });

  it.each(["function show(row) {\n  return row.id;\n}\n", "const show = (row) => row.id;\n"])(
    "is no other: %s",
    async (text) => {
      const step = await stepOf(text);
      expect(step).toMatchObject({ name: "row" });
      expect(step).not.toHaveProperty("isCallback");
    },
  );
});
