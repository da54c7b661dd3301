import { describe, expect, it } from "vitest";
import { calledPackages, isMajor } from "../../src/changes/called-packages.ts";
import { parseText } from "../../src/parse/parse.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { traceError } from "../../src/trace/trace-error.ts";

async function calledIn(log: string, name: string, text: string): Promise<string[]> {
  return [...calledPackages(await traceError(parseText(log), null, [new SourceText("source_file", name, text)]))];
}

describe("the packages that the failing line uses", () => {
  it("are those whose imported names are on it", async () => {
    const log = "TypeError: paint.keyword is not a function\n    at print (/srv/src/print.js:4:20)\n";
    const text =
      'import paint from "chalk";\nimport { load } from "./load.js";\nexport function print(text) {\n  return load(paint.keyword("orange")(text));\n}\n';
    expect(await calledIn(log, "src/print.js", text)).toEqual(["chalk"]);
  });

  it("are found in a module of CommonJS, and in Python", async () => {
    const log = "TypeError: slug is not a function\n    at name (/srv/src/name.cjs:2:33)\n";
    const text =
      "const { slug, other: unused } = require('@acme/words/slug');\nexports.name = (title) => slug(title);\n";
    expect(await calledIn(log, "src/name.cjs", text)).toEqual(["@acme/words"]);
    const python = `Traceback (most recent call last):
  File "/srv/shop/bill.py", line 4, in bill
    return arrow.get(day).replace(days=1)
TypeError: replace() got an unexpected keyword argument
`;
    const bill = "import arrow\n\ndef bill(day):\n    return arrow.get(day).replace(days=1)\n";
    expect(await calledIn(python, "shop/bill.py", bill)).toEqual(["arrow"]);
  });

  it("exclude those whose names are only in a comment or a text of it", async () => {
    const log = "Error: no paint\n    at print (/srv/src/print.js:3:9)\n";
    const text = 'import paint from "chalk";\nexport function print() {\n  throw new Error("no paint"); // paint\n}\n';
    expect(await calledIn(log, "src/print.js", text)).toEqual([]);
  });

  it("may have removed what is called only with another major version", () => {
    expect(isMajor("^4.1.2", "^5.0.0")).toBe(true);
    expect(isMajor("0.4.1", "0.5.0")).toBe(true);
    expect(isMajor("v4.1.2", "v4.2.0")).toBe(false);
    expect(isMajor(null, "5.0.0")).toBe(false);
  });
});
