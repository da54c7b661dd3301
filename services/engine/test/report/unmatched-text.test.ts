import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const fixOf = async (log: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const { report } = await investigated(textSubject(log, files));
  return report.short_term_solutions.map(({ title, detail }) => `${title}. ${detail}`).join("\n");
};

describe("what to do about text that no pattern matched", () => {
  it("names the text, and quotes the pattern from where the file defines it", async () => {
    const log = `TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))
    at parseShelf (/srv/shelf.js:4:33)
`;
    const files = {
      "shelf.js": `const SHELF = /^([A-Z])-(\\d+)$/;

function parseShelf(label) {
  const [, aisle, number] = SHELF.exec(label);
  return { aisle, number: Number(number) };
}
`,
    };
    expect(await fixOf(log, files)).toBe(
      "Find out why `label` doesn't match at `parseShelf` (`shelf.js:4`). `SHELF.exec(label)` gives `null` for text that doesn't match. The pattern is `/^([A-Z])-(\\d+)$/`.",
    );
  });

  it("asks for a test of it, not for a declaration that it may be missing", async () => {
    const log = `TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))
    at parseShelf (/srv/shelf.js:3:31)
`;
    const program =
      "const SHELF = /^([A-Z])$/;\nfunction parseShelf(label) {\n  const [, aisle] = SHELF.exec(label);\n}\n";
    const { report } = await investigated(textSubject(log, { "shelf.js": program }));
    expect(report.long_term_solutions.map(({ title }) => title)).toEqual([
      "Add a test in which `SHELF.exec(label)` is `null`",
    ]);
  });

  it("does so for a match that is taken apart a line below", async () => {
    const log = `TypeError: Cannot read properties of null (reading '1')
    at dayOf (/srv/day.js:3:15)
`;
    const files = {
      "day.js": `function dayOf(stamp) {
  const found = stamp.match(/^(\\d{4}-\\d\\d-\\d\\d)T/);
  return found[1];
}
`,
    };
    expect(await fixOf(log, files)).toContain("The pattern is `/^(\\d{4}-\\d\\d-\\d\\d)T/`.");
  });

  it("does so for a pattern of Python", async () => {
    const log = `Traceback (most recent call last):
  File "/srv/shelf.py", line 7, in parse_shelf
    return found.group(1)
AttributeError: 'NoneType' object has no attribute 'group'
`;
    const files = {
      "shelf.py": `import re

SHELF = re.compile(r"^([A-Z])-(\\d+)$")

def parse_shelf(label):
    found = SHELF.match(label)
    return found.group(1)
`,
    };
    expect(await fixOf(log, files)).toMatch(/Find out why `label` doesn't match .*The pattern is `r"/s);
  });

  it("quotes a pattern from the file that defines it", async () => {
    const log = `TypeError: Cannot read properties of null (reading '1')
    at aisleOf (/srv/shelf.js:3:28)
`;
    const files = {
      "patterns.js": "export const SHELF = /^([A-Z])-(\\d+)$/;\n",
      "shelf.js": `import { SHELF } from "./patterns.js";
export function aisleOf(label) {
  return SHELF.exec(label)[1];
}
`,
    };
    expect(await fixOf(log, files)).toContain(
      "`SHELF.exec(label)` gives `null` for text that doesn't match. The pattern is",
    );
  });

  it("takes the text of a module's function from its second argument", async () => {
    const log = `Traceback (most recent call last):
  File "/srv/day.py", line 4, in day_of
    return re.search(r"^\\d{4}-", stamp, re.ASCII).group(0)
AttributeError: 'NoneType' object has no attribute 'group'
`;
    const files = {
      "day.py": `import re

def day_of(stamp):
    return re.search(r"^\\d{4}-", stamp, re.ASCII).group(0)
`,
    };
    expect(await fixOf(log, files)).toMatch(/^Find out why `stamp` doesn't match .*The pattern is `r"/s);
  });

  it("says nothing of patterns where text is handed to a method of that name", async () => {
    const log = `TypeError: Cannot read properties of null (reading 'id')
    at open (/srv/open.js:3:15)
`;
    const files = { "open.js": 'function open(db) {\n  const row = db.exec("SELECT 1");\n  return row.id;\n}\n' };
    expect(await fixOf(log, files)).not.toContain("match");
  });

  it("says nothing of patterns where a method only has that name", async () => {
    const log = `TypeError: Cannot read properties of undefined (reading 'id')
    at open (/srv/open.js:3:15)
`;
    const files = { "open.js": "function open(db) {\n  const row = db.exec(query(1));\n  return row.id;\n}\n" };
    expect(await fixOf(log, files)).not.toContain("match");
  });
});
