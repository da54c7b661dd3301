import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";

function reportOn(errorLog: string, files: Record<string, string> = {}): Promise<Report> {
  return investigate(
    {
      incident: { id: "inc_1", service: null, env: null, fingerprint: null },
      input: { kind: "text", errorLog, files: Object.entries(files).map(([name, content]) => ({ name, content })) },
    },
    { clock: () => 0, onStep: async () => undefined },
    new AbortController().signal,
  );
}

async function headlineOf(errorLog: string, files: Record<string, string> = {}): Promise<string> {
  return (await reportOn(errorLog, files)).root_cause_summary;
}

const calls =
  "\tat java.base/java.util.HashMap.putVal(HashMap.java:655)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n";
const log = `java.lang.IllegalStateException: no more rows\n${calls}`;

describe("the headline of a stack that has only calls of the runtime", () => {
  it("says so", async () => {
    expect(await headlineOf(log)).toContain("The stack shows only the runtime's own calls.");
  });

  it("names no file that nothing leads to", async () => {
    const headline = await headlineOf(log, { "src/shop/Cart.java": "class Cart {\n  int total() { return 0; }\n}\n" });
    expect(headline).toContain("The stack shows only the runtime's own calls.");
    expect(headline).not.toContain("Cart");
  });

  it("isn't said when one call is of the application", async () => {
    const headline = await headlineOf(`${log}\tat shop.Main.main(Main.java:3)\n`);
    expect(headline).not.toContain("runtime's own calls");
  });
});

describe("the report on a failed assertion whose stack shows only the test", () => {
  const failed = [
    "=== RUN   TestTotal",
    "    cart_test.go:14: Total() = 7, want 9",
    "--- FAIL: TestTotal (0.00s)",
    "FAIL",
    "FAIL\texample.com/shop/cart\t0.004s",
  ].join("\n");

  it("is at most 30% sure, and says what it doesn't see", async () => {
    const report = await reportOn(failed);
    expect(report.confidence.score).toBeLessThanOrEqual(0.3);
    expect(report.root_cause_summary).toContain("The stack shows only the test, not the code that it tests.");
  });

  it.each([
    [
      "JUnit",
      "org.opentest4j.AssertionFailedError: expected: <9> but was: <7>\n" +
        "\tat org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)\n" +
        "\tat org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:531)\n" +
        "\tat com.example.shop.CartTest.total(CartTest.java:14)\n",
    ],
    [
      "PHPUnit",
      "PHP Fatal error:  Uncaught RuntimeException: expected 9, got 7 in /app/CartTest.php:14\n" +
        "Stack trace:\n#0 /app/CartTest.php(9): CartTest->testTotal()\n#1 {main}\n  thrown in /app/CartTest.php on line 14\n",
    ],
    ["minitest", "test_cart.rb:14:in `test_total': expected 9, got 7 (RuntimeError)\n"],
  ])("is as unsure of a test by the name that %s gives it", async (_runner, text) => {
    const report = await reportOn(text);
    expect(report.confidence.score).toBeLessThanOrEqual(0.3);
    expect(report.root_cause_summary).toContain("The stack shows only the test, not the code that it tests.");
  });

  it("isn't the report on code whose name only begins or ends like a test's", async () => {
    const report = await reportOn(
      "java.lang.IllegalStateException: no price\n\tat com.example.shop.Contest.price(Contest.java:14)\n",
    );
    expect(report.root_cause_summary).not.toContain("only the test");
  });

  it("isn't the report on a program that lies in a folder called test", async () => {
    const report = await reportOn("Error: no price for p9\n    at price (/home/ada/test/price.js:203:7)\n");
    expect(report.confidence.score).toBeGreaterThan(0.3);
    expect(report.root_cause_summary).not.toContain("only the test");
  });

  it("is surer when the stack continues into the code", async () => {
    const report = await reportOn(
      "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 6 [running]:\n" +
        "example.com/shop/cart.Total(...)\n\t/app/cart/cart.go:21\n" +
        "example.com/shop/cart.TestTotal(0xc000)\n\t/app/cart/cart_test.go:14 +0x1d\n",
    );
    expect(report.confidence.score).toBeGreaterThan(0.3);
    expect(report.root_cause_summary).not.toContain("only the test");
  });
});
