import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
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
  "pytest/xdist-workers.txt": ["test_adds_tax", "TestGuest.test_total"],
  "node/mocha-indented.txt": ["cart > adds tax", "cart > loads"],
  "node/cypress.txt": ["cart > adds tax", 'cart > "before each" hook for "loads"'],
  "node/bun-tests.txt": ["cart > adds tax", "loads"],
  "node/deno-tests.txt": ["adds tax"],
  "playwright/several-failures.txt": ["cart › adds tax", "cart › loads"],
  "python/django-tests.txt": [
    "test_show (shop.tests.OrderTests.test_show)",
    "test_total (shop.tests.OrderTests.test_total)",
  ],
  "python/subtests.txt": ["test_tax (tests.test_cart.CartTest.test_tax)"],
  "robot/several-failures.txt": ["Adds Tax", "Loads"],
  "rspec/several-failures.txt": ["Cart adds tax", "Cart loads"],
  "rspec/minitest.txt": ["CartTest#test_adds_tax", "CartTest#test_loads"],
  "phpunit/several-failures.txt": ["CartTest::testLoads", "CartTest::testAddsTax"],
  "exunit/several-failures.txt": ["test adds tax (ShopTest)", "test loads (ShopTest)"],
  "dotnet-test/xunit.txt": ["Shop.Tests.CartTests.AddsTax", "Shop.Tests.CartTests.Loads"],
  "jvm/gradle-tests.txt": ["CartTest > addsTax()", "CartTest > loads()"],
  "rust/tests.txt": ["tests::adds_tax", "tests::loads"],
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

const stack = "TypeError: cart is undefined\n    at total (/srv/app/src/cart.js:4:9)\n";
const testOf = (text: string): unknown => parseText(text).exceptions[0]?.properties.test;

describe("a line that looks like a runner's title", () => {
  it.each([
    ["a step of an issue", `2) Click save:\n${stack}`],
    ["a mark of a deployment", `${stack}✗ Deploy of shop failed\n`],
    ["a route", `route /orders => /srv/app/src/orders.js:3:5\n${stack}`],
    ["a stage of a build", `stage build > push image FAILED\n${stack}`],
  ])("names no test without what else the runner prints: %s", (_, text) => {
    expect(parseText(text).exceptions).toHaveLength(1);
    expect(testOf(text)).toBeUndefined();
  });

  it.each([
    ["Cypress", `1 failing\n\n1) cart\nadds tax:\n${stack}`, "cart > adds tax"],
    ["Bun", `${stack}✗ adds tax\n\n 0 pass\n 1 fail\n`, "adds tax"],
    ["Bun with durations", `${stack}(fail) adds tax [0.10ms]\n`, "adds tax"],
    ["Deno", `adds tax => ./cart_test.ts:4:6\n${stack}`, "adds tax"],
    ["Gradle", `CartTest > addsTax() FAILED\n${stack}\n1 test completed, 1 failed\n`, "CartTest > addsTax()"],
  ])("names the test of %s", (_, text, name) => {
    expect(testOf(text)).toBe(name);
  });
});

describe("a failed test of .NET without calls", () => {
  it("doesn't contain what the log says later", () => {
    const text = `  Failed Shop.Tests.CartTests.AddsTax [5 ms]
  Error Message:
   Expected 1200, but got 1190

Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Order.Amount() in /app/src/Order.cs:line 42
`;
    expect(parseText(text).exceptions).toMatchObject([
      { type: "AssertionException", message: "Expected 1200, but got 1190", frames: [] },
      { type: "System.NullReferenceException", frames: [{ line: 42 }] },
    ]);
  });
});

describe("a failed test of .NET with calls", () => {
  it("keeps the lines of its message without indentation below a blank one", () => {
    const text = `  Failed Shop.Tests.CartTests.AddsTax [5 ms]
  Error Message:
   Totals differ

Expected: 1200
  Stack Trace:
     at Shop.Tests.CartTests.AddsTax() in /app/tests/CartTests.cs:line 9
`;
    expect(parseText(text).exceptions).toMatchObject([
      { message: "Totals differ\n\nExpected: 1200", frames: [{ line: 9 }] },
    ]);
  });
});

describe("a failed test of PHPUnit", () => {
  it("has the errors that caused its own", () => {
    const text = `1) Shop\\Tests\\CartTest::testLoads
Shop\\LoadException: can't load cart 7

/app/src/Cart.php:42
/app/tests/CartTest.php:14

Caused by
PDOException: SQLSTATE[HY000] [2002] Connection refused

/app/src/Db.php:12
/app/src/Cart.php:40

FAILURES!
`;
    expect(parseText(text).exceptions).toMatchObject([
      { type: "Shop\\LoadException", parent: null, frames: [{ line: 42 }, { line: 14 }] },
      { type: "PDOException", parent: 0, relation: "cause", frames: [{ line: 12 }, { line: 40 }] },
    ]);
  });
});
