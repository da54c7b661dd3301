import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../investigated.ts";

const formats = join(import.meta.dirname, "../../formats");
const printed = (path: string): string => readFileSync(join(formats, path), "utf8");
/** What each runner calls the tests that fail. */
const named = {
  "vitest/several-failures.txt": ["cart > adds tax", "of a guest > has a total", "is loaded", "fails to load"],
  "jest/several-failures.txt": ["cart › adds tax", "of a guest › has a total", "is loaded", "fails to load"],
  "node/mocha.txt": ["cart > adds tax", "of a guest > has a total", "is loaded", "fails to load"],
  "node/node-test.txt": ["adds tax", "has a total", "is loaded", "fails to load"],
  "tap/node-test.txt": ["adds tax", "has a total", "is loaded", "fails to load"],
  "go-test/several-failures.txt": ["TestWithTax/of_ten_euros", "TestTotalOfGuest"],
  "go-test/verbose.txt": ["TestWithTax/of_ten_euros"],
  "go-test/json.txt": ["TestWithTax/of_ten_euros", "TestTotalOfGuest"],
  "jvm/surefire.txt": ["shop.CartTest.addsTax", "shop.CartTest.hasATotalForGuests"],
  "pytest/xdist.txt": ["test_with_tax", "TestGuest.test_has_a_total"],
  "pytest/short-summary.txt": ["test_with_tax", "TestGuest.test_has_a_total"],
  "pytest/one-line-each.txt": ["test_with_tax", "TestGuest.test_has_a_total"],
};

describe("a report on a test run", () => {
  it.each(Object.entries(named))("names each test that failed: %s", async (path, tests) => {
    const { report } = await investigated(textSubject(printed(path)));
    const [, failed = ""] = /## What failed\n\n([\s\S]*?)(?=\n\n## |$)/.exec(report.detailed_analysis) ?? [];
    for (const test of tests) expect(failed).toContain(`${test}\``);
  });

  it.each(Object.keys(named))("keeps what was expected, and what came: %s", async (path) => {
    const { report } = await investigated(textSubject(printed(path)));
    const said = [report.detailed_analysis, ...report.evidence.map(({ excerpt }) => excerpt)].join("\n");
    expect(said).toContain("1190");
    expect(said).toContain("1200");
  });
});
