import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

describe("a field of an object that the code makes", () => {
  it.each([
    ["show.js", "const order = { row: undefined };\norder.row.id;\n"],
    ["show.js", "const { page: { row } } = { page: { row: null } };\nrow.id;\n"],
    ["show.js", "const rows = [{}, null];\nrows[1].id;\n"],
    ["show.js", "const [first, row] = [{}, null];\nrow.id;\n"],
    ["show.rb", "order = { row: nil }\norder[:row].id\n"],
    ["show.py", "order = {'row': None}\norder['row'].id\n"],
  ])("leads to the value that it was given: %s, %j", async (file, text) => {
    expect(await originOf({ [file]: text })).toEqual([`literal ${file}:1`]);
  });

  it("isn't missing for being counted from the end of a list", async () => {
    const text =
      "function* rowsOf() {\n  yield { total: 1 };\n}\nconst rows = Array.from(rowsOf());\nrows.at(-1).id;\n";
    expect((await originOf({ "show.js": text })).join()).not.toContain("missing-key");
  });

  it.each([
    ["show.js", "const base = { total: 1 };\nconst order = { ...base };\norder.row.id;\n"],
    ["show.py", "order = {'total': 1}\norder.get('row').id\n"],
    ["show.rb", "order = { total: 1 }\norder[:row].id\n"],
  ])("is missing where the object is made without it: %s", async (file, text) => {
    expect(await originOf({ [file]: text })).toEqual([`missing-key ${file}:1`]);
  });

  it.each([
    ["show.js", "const order = {\n  customerRwo: 1,\n};\norder.customerRow.id;\n"],
    ["show.py", "order = {\n    'customer_rwo': 1,\n}\norder.get('customer_row').id\n"],
    ["show.rb", "order = {\n  customer_rwo: 1,\n}\norder[:customer_row].id\n"],
  ])("is misspelled where the object has almost that name: %s", async (file, text) => {
    expect(await originOf({ [file]: text })).toEqual([`setting ${file}:2`]);
  });
});

describe("an element", () => {
  it("isn't left out of what only gives a list its length", async () => {
    const text = "const rows = Array.from({ length: count }, () => row);\nrows[0].id;\n";
    expect((await originOf({ "show.js": text })).join()).not.toContain("missing-key");
  });

  it("is beyond the end where the loop counts one too far", async () => {
    const loop = (test: string) => `for (let i = 0; ${test}; i++) {\n  rows[i].id;\n}\n`;
    expect(await originOf({ "show.js": loop("i <= rows.length") })).toEqual(["overrun show.js:1"]);
    expect(await originOf({ "show.js": loop("i < rows.length") })).not.toContain("overrun show.js:1");
  });

  it.each([
    ["show.js", "const rows = new Map();\nrows.set(key.toLowerCase(), row);\nrows.get(name).id;\n"],
    ["show.rb", "rows = {}\nrows[key.downcase] = row\nrows[name].id\n"],
    ["show.py", "rows = {}\nrows[key.lower()] = row\nrows.get(name).id\n"],
  ])("of a collection leads to the key that it is stored under: %s", async (file, text) => {
    expect((await originOf({ [file]: text })).filter((end) => end.endsWith(`${file}:2`))).not.toEqual([]);
  });

  it("leads to the fallback of its lookup", async () => {
    const text = "const row = settings.get('row', null);\nrow.id;\n";
    expect(await originOf({ "show.js": text })).toEqual(["fallback show.js:1"]);
  });
});

describe("the first or last element of a list, which was undefined", () => {
  const page = "function page(all, from, size) {\n  return all.slice(from, from + size);\n}\n";
  const start = "const from = 40;\n";
  const rest = "const rows = page(load(), from, 20);\n";

  it.each([
    "rows[0].id;\n",
    "rows[rows.length - 1].id;\n",
    "rows.at(-1).id;\n",
    "rows.at(0).id;\n",
    "rows.shift().id;\n",
  ])("leads to what decides how many there are: %s", async (read) => {
    expect(await originOf({ "show.js": start + page + rest + read })).toContain("literal show.js:1");
  });

  it("leads there from a pattern", async () => {
    const text = `${start}${page}const [row] = page(load(), from, 20);\nrow.id;\n`;
    expect(await originOf({ "show.js": text })).toContain("literal show.js:1");
  });

  it("leads to the elements of a list that has some", async () => {
    const promised =
      "const [row] = await Promise.all([first(), second()]);\nrow.id;\nfunction first() {}\nfunction second() { return { id: 1 }; }\n";
    expect(await originOf({ "show.js": promised })).toContain("returns-nothing show.js:3");
  });

  it("leads to what makes the elements, too, where a function does", async () => {
    const text =
      "const rows = names.map((name) => find(name));\nrows[0].id;\nfunction find(name) {\n  if (name) return;\n}\n";
    expect((await originOf({ "show.js": text })).join()).toContain("returns-nothing show.js:");
  });

  it("isn't looked for in the elements, which are well formed", async () => {
    const text =
      "const all = [{ total: 1 }, { total: 2 }];\nconst rows = all.filter((one) => one.total > limit);\nrows[0].id;\n";
    expect((await originOf({ "show.js": text })).join()).not.toContain("missing-key");
  });
});

describe("the elements of a list that another is spread into", () => {
  it("lead to what the other list is made of", async () => {
    const text =
      "const parts = names.map((name) => ({ row: null }));\nfor (const one of [{ row: {} }, ...parts]) one.row.id;\n";
    expect(await originOf({ "show.js": text })).toContain("literal show.js:1");
  });
});
