import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced, undefinedRead } from "../signals-in.ts";

/** The number of pages in a program that shows the last one of a list. */
async function foundIn(pages: string): Promise<object[]> {
  const files = {
    "list.js": `import { pagesOf } from "./pages.js";
export function last(all, size) {
  const page = all.slice((pagesOf(all.length, size) - 1) * size);
  return page[0].name;
}
`,
    "pages.js": `export function pagesOf(total, size) {\n  ${pages}\n}\n`,
  };
  return ofKind(await signalsIn(files, undefinedRead("name"), "last (/srv/list.js:4:18)"), "page-count");
}

describe("a number of pages", () => {
  it.each([
    "return Math.floor(total / size) + 1;",
    "return 1 + Math.floor(total / size);",
    "const pages = Math.trunc(total / size) + 1;\n  return pages;",
    "return parseInt(total / size) + 1;",
  ])("is one too many where the last page is full: %s", async (pages) => {
    const [found, ...others] = await foundIn(pages);
    expect(found).toMatchObject({ line: 2, args: { total: "total", size: "size" } });
    expect(others).toEqual([]);
  });

  it.each([
    "return Math.ceil(total / size);",
    "return Math.floor((total - 1) / size) + 1;",
    "const offset = total;\n  return Math.floor(offset / size) + 1;",
    "return Math.floor(total / size);",
    "return total % size === 0 ? total / size : Math.floor(total / size) + 1;",
    "if (total % size === 0) return total / size;\n  return Math.floor(total / size) + 1;",
    "let pages = Math.floor(total / size);\n  if (total % size) pages = Math.floor(total / size) + 1;\n  return pages;",
    "return Math.floor(total / 2) + 1;",
  ])("isn't suspected for %s", async (pages) => {
    expect(await foundIn(pages)).toEqual([]);
  });

  it("is found in Python", async () => {
    const files = {
      "list.py": `def last(rows, size):
    pages = len(rows) // size + 1
    page = rows[(pages - 1) * size:]
    return page[0]
`,
    };
    const log = `Traceback (most recent call last):
  File "/srv/list.py", line 4, in last
    return page[0]
IndexError: list index out of range
`;
    expect(ofKind((await traced(log, files)).signals, "page-count")).toEqual([
      { line: 2, args: { code: "len(rows) // size + 1", total: "len(rows)", size: "size" } },
    ]);
  });

  it("isn't suspected where the value doesn't depend on it", async () => {
    const files = {
      "show.js": "export function show(order) {\n  return order.name;\n}\n",
      "pages.js": "export const pagesOf = (total, size) => Math.floor(total / size) + 1;\n",
    };
    const signals = await signalsIn(files, undefinedRead("name"), "show (/srv/show.js:2:16)");
    expect(ofKind(signals, "page-count")).toEqual([]);
  });

  it("isn't suspected where the function that failed only logs it", async () => {
    const files = {
      "show.js": `export function show(user, total, size) {
  const pages = Math.floor(total / size) + 1;
  console.log(pages);
  return user.profile.name;
}
`,
    };
    const signals = await signalsIn(files, undefinedRead("name"), "show (/srv/show.js:4:23)");
    expect(ofKind(signals, "page-count")).toEqual([]);
  });

  it("is suspected where another variable is computed from it", async () => {
    const files = {
      "list.py": `def last(rows, size):
    pages = len(rows) // size + 1
    start = (pages - 1) * size
    page = rows[start:]
    return page[0]
`,
    };
    const log = `Traceback (most recent call last):
  File "/srv/list.py", line 5, in last
    return page[0]
IndexError: list index out of range
`;
    expect(ofKind((await traced(log, files)).signals, "page-count")).toMatchObject([{ line: 2 }]);
  });
});
