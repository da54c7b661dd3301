import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

describe("an element of a list that is made of another one's", () => {
  it.each([
    ["map", "const rows = keys.map(find);"],
    ["map with an arrow", "const rows = keys.map((key) => find(key));"],
    ["Array.from", "const rows = Array.from(keys, find);"],
    ["Array.from a length", "const rows = Array.from({ length: count }, (_, index) => find(index));"],
    ["sorted", "const rows = keys.map(find).sort(byName);"],
    ["filtered", "const rows = keys.filter(Boolean).map(find).slice(1);"],
  ])("is what the function gives: %s in JavaScript", async (_, rows) => {
    const text = `function find(key) {\n  return null;\n}\n${rows}\nfor (const row of rows) row.id;\n`;
    expect(await originOf({ "show.js": text })).toContain("returns-nothing show.js:2");
  });

  it.each([
    ["a comprehension", "rows = [find(key) for key in keys]"],
    ["a generator", "rows = (find(key) for key in keys)"],
    ["map", "rows = list(map(find, keys))"],
    ["sorted", "rows = sorted([find(key) for key in keys], key=by_name)"],
  ])("is what the function gives: %s in Python", async (_, rows) => {
    const text = `def find(key):\n    return None\n\n${rows}\nfor row in rows:\n    row.id\n`;
    expect(await originOf({ "show.py": text })).toContain("returns-nothing show.py:2");
  });

  it.each([
    ["map", "rows = keys.map { |key| find(key) }"],
    ["map of a method", "rows = keys.map(&method(:find))"],
    ["sorted", "rows = keys.map { |key| find(key) }.sort_by(&:name)"],
  ])("is what the function gives: %s in Ruby", async (_, rows) => {
    const text = `def find(key)\n  nil\nend\n${rows}\nrows.each { |row|\n  row.id }\n`;
    expect(await originOf({ "show.rb": text })).toContain("returns-nothing show.rb:2");
  });

  it.each([
    ["a reference", "keys.stream().map(Shop::find).toList()"],
    ["a lambda", "keys.stream().map(key -> find(key)).collect(Collectors.toList())"],
  ])("is what the function gives: %s in Java", async (_, rows) => {
    const text = `class Shop {\n  static Row find(String key) {\n    return null;\n  }\n  static void show(List<String> keys) {\n    List<Row> rows = ${rows};\n    for (Row row : rows)\n      row.id();\n  }\n}\n`;
    expect(await originOf({ "Shop.java": text })).toContain("returns-nothing Shop.java:3");
  });
});

describe("a parameter of a callback", () => {
  it.each([
    ["show.js", "function each(read) {\n  read(null);\n}\neach((row) => row.id);\n", 2],
    ["show.js", "class Dial {\n  at(read) {\n    return read(null);\n  }\n}\nnew Dial().at((row) => row.id);\n", 3],
    ["show.py", "def each(read):\n    read(None)\n\neach(lambda row: row.id)\n", 2],
    ["show.rb", "def each_row\n  yield nil\nend\neach_row { |row|\n  row.id }\n", 2],
  ])("is what it is called with: %s", async (file, text, line) => {
    expect(await originOf({ [file]: text })).toContain(`literal ${file}:${line}`);
  });
});
