import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const log =
  "TypeError: Cannot read properties of undefined (reading 'weight')\n    at sort (/srv/src/sort.js:5:15)\n    at /srv/src/main.js:3:1\n";
const sort =
  "import { graderOf } from './graders.js';\n\nexport function sort(name) {\n  const one = graderOf(name);\n  return one.weight;\n}\n";
const main = "import { sort } from './sort.js';\n\nsort('round');\n";
const graders = "const graders = new Map();\nexport const graderOf = (name) => graders.get(name);\n";
const gap = "Source: `graderOf` is imported from `src/graders.js`, which wasn't given.";

describe("a report on a value that comes from a file that wasn't given", () => {
  it("names the file as where to look", async () => {
    const { report } = await investigated(textSubject(log, { "src/sort.js": sort, "src/main.js": main }));
    expect(report.short_term_solutions[0]).toMatchObject({
      title: "Look at `graderOf` in `src/graders.js`",
      detail: "The value may come from there: `src/sort.js` imports it, and it wasn't given.",
    });
    expect(report.not_checked).toContain(gap);
  });

  it("doesn't say so with the file", async () => {
    const files = { "src/sort.js": sort, "src/main.js": main, "src/graders.js": graders };
    const { report } = await investigated(textSubject(log, files));
    expect(report.not_checked).not.toContain(gap);
    expect(JSON.stringify(report.short_term_solutions)).not.toContain("Look at `graderOf`");
  });

  it("says that no files were attached, also where the stack prints its code", async () => {
    const text =
      'Traceback (most recent call last):\n  File "/srv/plan.py", line 7, in plan\n    return STEPS[known["low"]]\nKeyError: None\n';
    const { report } = await investigated(textSubject(text));
    expect(report.not_checked).toContain("Source: no files were attached.");
  });
});
