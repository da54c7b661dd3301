import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

async function wordsFor(log: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { report } = await investigated(textSubject(log, files));
  return JSON.stringify(report.candidates);
}

describe("what a call got", () => {
  const log = `TypeError: Cannot read properties of undefined (reading 'name')
    at head (/srv/src/head.js:3:16)
    at list (/srv/src/list.js:6:10)
`;
  const files = {
    "src/head.js": `exports.head = function head(rows) {
  const first = rows[0];
  return first.name;
};
`,
    "src/list.js": `const { head } = require("./head.js");
const store = require("store");
const shelves = ["low", "high"];

exports.list = function list(number) {
  return head(store.select(shelves[number % shelves.length]));
};
`,
  };

  it("isn't called the source of what it returned", async () => {
    const words = await wordsFor(log, files);
    expect(words).toContain("shelves[number % shelves.length]");
    expect(words).not.toMatch(/the value comes from `shelves/i);
  });
});
