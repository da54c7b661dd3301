import type { Hit, TestRun } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/limits.js": `const limit = 10;
export function isWithin(count) {
  return count < limit;
}
`,
  "src/basket.js": `import { isWithin } from "./limits.js";
export function total(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}
export function summary(items) {
  if (!isWithin(items.length)) {
    return "too many";
  }
  return \`\${items.length} items, \${total(items)}\`;
}
`,
  "test/basket.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { summary, total } from "../src/basket.js";
const item = { price: 150, count: 2 };
test("total", () => assert.equal(total([item]), 300));
test("ten are fine", () => {
  assert.equal(summary(Array(10).fill(item)), "10 items, 3000");
});
`,
};
const error = "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:";
const test = { file: "test/basket.test.js", line: 7, function: null, starts: 6 };
const threw: Hit = { ...test, kind: "threw", error, nth: 0, at_ms: 30, values: {}, thread: "1-0", callers: [] };

const within = { file: "src/limits.js", function: "isWithin", starts: 2, failed: 0, passed: 0 };
const summary = { file: "src/basket.js", function: "summary", starts: 5, failed: 0, passed: 0 };
const helper = { file: "test/items.js", function: "manyItems", starts: 1, failed: 0, passed: 0 };
const ran = (...functions: TestRun["functions"]): TestRun => ({ failed: 1, passed: 3, functions });

/** Reports on the failed test as one watched run shows it; before one when that isn't given. */
async function reportOn(
  run?: { readonly hits: readonly Hit[]; readonly ran?: TestRun },
  frames = "",
  testFile = test.file,
) {
  const log = `${error}\n+ actual - expected\n\n+ 'too many'\n- '10 items, 3000'\n\n${frames}    at TestContext.<anonymous> (/app/${testFile}:7:10)\n`;
  const named = Object.entries(files).map(([name, text]) => [name === test.file ? testFile : name, text]);
  const subject = textSubject(log, Object.fromEntries(named));
  if (subject.input.kind !== "text") throw new Error("no text");
  const runs = run ? [{ run: 2, places: [], ...run, hits: [...run.hits] }] : [];
  return (await investigated({ ...subject, input: { ...subject.input, observed: { runs } } })).report;
}

describe("a failed test whose stack shows nothing but tests", () => {
  it("is to be watched for what it runs", async () => {
    expect((await reportOn()).watch?.[0]).toMatchObject({ ...test, is_test: true });
    const inside = await reportOn(undefined, "    at summary (/app/src/basket.js:7:5)\n");
    expect(inside.watch?.some((place) => place.is_test)).toBe(false);
  });

  it.each(["test.js", "shop/tests.mjs"])("is one where all tests are in %s", async (file) => {
    const report = await reportOn(undefined, "", file);
    expect(report.watch?.[0]).toMatchObject({ file, line: 7, is_test: true });
  });

  it("leads to the longest of the functions that the fewest tests ran which didn't fail the same way", async () => {
    const report = await reportOn({ hits: [threw], ran: ran(within, summary) });
    const [candidate] = report.candidates;
    expect(candidate?.location).toMatchObject({ file: "src/basket.js", function: "summary" });
    expect(candidate?.support).toContain(
      "`summary` (`src/basket.js:5`) ran in the failing test before the throw in run 2, and in none of 3 tests that didn't fail the same way",
    );
    expect(candidate?.seen).toBeUndefined();
    for (const passed of [0, 1]) {
      const [fewer, more] = [
        { ...within, passed },
        { ...summary, passed: passed + 1 },
      ];
      const others = await reportOn({ hits: [threw], ran: ran(fewer, more) });
      expect(others.candidates[0]?.location).toMatchObject({ file: "src/limits.js", function: "isWithin" });
    }
  });

  it("leads to the function that the most tests ran which failed the same way", async () => {
    const report = await reportOn({ hits: [threw], ran: ran({ ...within, failed: 1, passed: 2 }, summary) });
    expect(report.candidates[0]?.location).toMatchObject({ file: "src/limits.js", function: "isWithin" });
  });

  it("says that others ran the function too where each did", async () => {
    const report = await reportOn({ hits: [threw], ran: ran({ ...summary, passed: 2 }) });
    expect(report.candidates[0]?.support).toContain(
      "`summary` (`src/basket.js:5`) ran in the failing test before the throw in run 2, and in tests that didn't fail the same way",
    );
  });

  it("isn't led to what helps the tests", async () => {
    const report = await reportOn({ hits: [threw], ran: ran(helper, { ...within, passed: 3 }) });
    expect(report.candidates[0]?.location).toMatchObject({ function: "isWithin" });
  });

  it("is led nowhere by a throw in the program's own code", async () => {
    const inside: Hit = { ...threw, file: "src/basket.js", line: 7, function: "summary", starts: 5, callers: [test] };
    const report = await reportOn({ hits: [inside], ran: ran(within) });
    expect(JSON.stringify(report)).not.toContain("ran in the failing test");
  });

  it("is known in another run by its message up to an object's address", async () => {
    const log = `    def test_total():
>       assert total() == order
E       AssertionError: assert 3 == <shop.Order object at 0x7fce3941ed10>

tests/test_total.py:4: AssertionError
`;
    const subject = textSubject(log, { "tests/test_total.py": "\n\ndef test_total():\n    assert total() == order\n" });
    if (subject.input.kind !== "text") throw new Error("no text");
    const { report } = await investigated({ ...subject, input: { ...subject.input, observed: { runs: [] } } });
    expect(report.watch_for).toEqual(["assert 3 == <shop.Order object"]);
  });
});
