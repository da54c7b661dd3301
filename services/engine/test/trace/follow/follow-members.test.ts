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
