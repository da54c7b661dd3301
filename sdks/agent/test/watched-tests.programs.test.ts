import { describe, expect, it } from "vitest";
import type { OrderedPlace } from "../src/watch/node/orders.ts";
import { testRun, useProgramFolder, written } from "./watched-folder.ts";
import { place, program, run } from "./watched-node.ts";

/** Runs a program; returns what was written last of the test at a place, which fails with a message. */
async function ranIn(main: string, test: OrderedPlace, failure: string) {
  await run(main, { places: [{ ...test, is_test: true }], failures: [failure] });
  return await testRun();
}

describe("a watched run of tests", () => {
  useProgramFolder();

  it("names the functions that the failing test ran, and counts the other tests that did", async () => {
    const totals = await program(
      "totals.js",
      `exports.net = (items) => sum(items.map((item) => item.price));
exports.label = function (items) {
  return items.join(", ");
};
function sum(prices) {
  return prices.reduce((one, other) => one - other, 0);
}
exports.unused = () => sum([]);
`,
    );
    const tests = await program(
      "totals.test.js",
      `const assert = require("node:assert");
const { test } = require("node:test");
const { net, label } = require("./totals.js");
test("labels", () => assert.equal(label(["a"]), "a"));
test("adds one", { timeout: 1_000 }, async () => {
  assert.equal(net([{ price: 3 }]), 3, "wrong total");
});
test("labels two", function () {
  assert.equal(label(["a", "b"]), "a, b");
});
`,
    );
    const ran = await ranIn(tests, place(tests, 6, 5), "wrong total");
    const alike = { file: totals, failed: 0, passed: 0 };
    expect(ran).toEqual({
      failed: 0,
      passed: 2,
      functions: [
        { ...alike, function: "sum", starts: 5 },
        { ...alike, function: "exports.net", starts: 1 },
      ],
    });
  });

  it("counts the tests of other files that its process runs", async () => {
    const code = `const { test } = require("node:test");\nconst { half } = require("./half.js");\n`;
    await program("half.js", "exports.half = (number) => {\n  if (number === 3) throw new Error('odd');\n};\n");
    const failing = await program("a.test.js", `${code}test("a", () => {\n  half(3);\n});\n`);
    await program("b.test.js", `${code}for (const one of [2, 4]) test("b" + one, () => half(one));\n`);
    const main = await program("main.js", `require("./a.test.js");\nrequire("./b.test.js");\n`);
    const ran = await ranIn(main, place(failing, 4, 3), "odd");
    expect(ran).toMatchObject({ passed: 2, functions: [{ function: "exports.half", passed: 2 }] });
  });

  it("counts the tests after the failing one in a process that is ended by a signal", async () => {
    await program("double.js", "exports.double = (number) => number * 2;\n");
    const tests = await program(
      "double.test.js",
      `const { double } = require("./double.js");
const test = (title, run) => { try { run(); } catch {} };
test("fails", () => {
  if (double(2) === 4) throw new Error("odd");
});
test("passes", () => double(1));
setInterval(() => undefined, 1_000);
setTimeout(() => process.kill(process.pid), 500);
`,
    );
    const ran = await ranIn(tests, place(tests, 4, 3), "odd");
    expect(ran).toMatchObject({ passed: 1, functions: [{ function: "exports.double", passed: 1 }] });
  });

  it("takes a function that the failing test calls for no other test", async () => {
    await program(
      "sum.js",
      "exports.sum = (one, other) => one + other;\nexports.cart = { get total() { return 3; } };\n",
    );
    const tests = await program(
      "sum.test.js",
      `const { sum, cart } = require("./sum.js");
const test = (title, run) => { try { run(); } catch {} };
test("adds", () => {
  if (![1, 2].every((one) => sum(one, 1) === cart.total)) throw new Error("odd");
});
`,
    );
    const ran = await ranIn(tests, place(tests, 4, 3), "odd");
    expect(ran).toMatchObject({
      failed: 0,
      passed: 0,
      functions: [{ function: "exports.sum" }, { function: "total" }],
    });
  });

  it("counts what a function did in a file that is loaded again", async () => {
    await program("half.js", "exports.half = (number) => number / 2;\n");
    const tests = await program(
      "half.test.js",
      `const test = (title, run) => { try { run(require("./half.js").half); } catch {} };
test("passes", (half) => half(1));
delete require.cache[require.resolve("./half.js")];
test("fails", (half) => {
  if (half(2) === 1) throw new Error("odd");
});
`,
    );
    const ran = await ranIn(tests, place(tests, 5, 4), "odd");
    expect(ran).toMatchObject({ passed: 1, functions: [{ function: "exports.half", passed: 1 }] });
  });

  it("takes a loop at the beginning of a test for one test", async () => {
    await program("half.js", "exports.half = (number) => number / 2;\nexports.odd = () => true;\n");
    const tests = await program(
      "half.test.js",
      `const { half, odd } = require("./half.js");
const test = (title, run) => { try { run(); } catch {} };
test("passes", () => {
  for (const one of [1, 2, 3]) half(one);
});
test("fails", () => {
  for (const check of [half, odd, String]) {
    check(1);
  }
  throw new Error("odd");
});
`,
    );
    const ran = await ranIn(tests, place(tests, 10, 6), "odd");
    expect(ran).toMatchObject({
      passed: 1,
      functions: [
        { function: "exports.odd", passed: 0 },
        { function: "exports.half", passed: 1 },
      ],
    });
  });

  it.each([
    ["while", "while (left > 0) half(left--);"],
    ["do", "do { half(left); left -= 1; } while (left > 0);"],
    ["for", "for (; left > 0; left -= 1) half(left);"],
  ])("takes each call of a test that begins with `%s` for one test", async (_, loop) => {
    await program("half.js", "exports.half = (number) => number / 2;\nexports.odd = () => true;\n");
    const tests = await program(
      "half.test.js",
      `const { half, odd } = require("./half.js");
const test = (title, run) => { try { run(); } catch {} };
for (let left of [2, 3]) test("halves " + left, () => {
  ${loop}
});
test("fails", function () {
  let left = odd() ? 2 : 1;
  throw new Error("odd");
});
for (let left of [1, 2]) test("fails " + left, () => {
  ${loop}
  throw new Error("even");
});
`,
    );
    const ran = await ranIn(tests, place(tests, 8, 6), "odd");
    expect(ran).toMatchObject({ failed: 2, passed: 2 });
  });

  it("takes a test that is tried again for one, and each row of a table for another", async () => {
    await program("half.js", "exports.half = (number) => number / 2;\n");
    const tests = await program(
      "half.test.js",
      `const { half } = require("./half.js");
const test = (title, run) => {
  for (let tries = 0; tries < 3; tries += 1) {
    try { return run(); } catch {}
  }
};
test.each = (rows) => (title, run) => { for (const row of rows) test(title, run.bind(null, row)); };
test("fails", () => {
  if (half(2) === 1) throw new Error("odd");
});
for (const one of [{}, {}]) test("fails with one", () => {
  throw new Error(half(one));
});
test.each([2, 3])("fails with %d", (one) => {
  throw new Error(half(one));
});
test("passes", () => half(1));
`,
    );
    const ran = await ranIn(tests, place(tests, 9, 8), "odd");
    expect(ran).toMatchObject({
      failed: 4,
      passed: 1,
      functions: [{ function: "exports.half", failed: 4, passed: 1 }],
    });
  });

  it("takes no room from the stops for what tests ran, however often it is written", async () => {
    const functions = Array.from({ length: 300 }, (_, index) => `exports.f${index} = () => ${index};\n`);
    await program("many.js", functions.join(""));
    const tests = await program(
      "many.test.js",
      `const many = require("./many.js");
const test = (title, run) => { try { run(); } catch {} };
test("fails", () => {
  for (const one of Object.values(many)) one();
  throw new Error("odd");
});
const begin = () => test("passes", () => many.f1());
for (let index = 1; index <= 10; index += 1) setTimeout(begin, index * 50);
setTimeout(() => { throw new Error("odd"); }, 600);
`,
    );
    const watch = { places: [{ ...place(tests, 4, 3), is_test: true }], failures: ["odd"], writtenLengthMax: 40_000 };
    await run(tests, watch);
    const parts = await written();
    const throws = parts
      .flatMap((part) => part.hits)
      .filter(({ kind, callers }) => kind === "threw" && !callers.length);
    expect(throws).toHaveLength(2);
    expect(parts.filter((part) => part.tests)).toHaveLength(1);
    expect(parts.flatMap((part) => part.ran ?? [])).toMatchObject([{ passed: 9 }]);
  });

  it("counts no test beyond those that are distinguished", async () => {
    await program("double.js", "exports.double = (number) => number * 2;\n");
    const tests = await program(
      "double.test.js",
      `const { double } = require("./double.js");
const test = (title, run) => { try { run(); } catch {} };
test("fails", () => {
  if (double(2) === 4) throw new Error("odd");
});
for (let index = 0; index <= 1_000; index += 1) test("passes", () => double(1));
`,
    );
    const ran = await ranIn(tests, place(tests, 4, 3), "odd");
    expect(ran).toMatchObject({ passed: 999, functions: [{ function: "exports.double", passed: 999 }] });
  });

  it("leaves the program's last match as it is", async () => {
    const tests = await program(
      "match.test.js",
      `const test = (title, run) => run();
test("matches", () => {
  /(b)/.exec("abc");
  try { throw new Error("odd"); } catch {}
  console.log(RegExp.$1);
});
`,
    );
    const { stdout } = await run(tests, { places: [{ ...place(tests, 3, 2), is_test: true }], failures: ["odd"] });
    expect(stdout).toBe("b\n");
  });

  it("names the functions first that more tests ran which failed alike", async () => {
    await program("sum.js", "exports.one = () => 1;\nexports.other = () => 2;\n");
    const tests = await program(
      "sum.test.js",
      `const { one, other } = require("./sum.js");
const test = (title, run) => { try { run(); } catch {} };
test("passes", () => other());
test("fails", () => {
  one();
  other();
  throw new Error("odd");
});
test("fails alike", () => {
  other();
  throw new Error("else");
});
`,
    );
    const places = [{ ...place(tests, 5, 4), is_test: true }];
    await run(tests, { places, failures: ["odd"], ranFunctionsMax: 1 });
    const ran = await testRun();
    expect(ran?.functions).toMatchObject([{ function: "exports.other", failed: 1, passed: 1 }]);
  });
});
