import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, testRun, useProgramFolder } from "./watched-folder.ts";
import { run } from "./watched-python.ts";

useProgramFolder();

describe("a watched test in Python", () => {
  it("names the functions that the failing test ran, and counts the other tests that did", async () => {
    const totals = join(folder, "totals.py");
    await writeFile(
      totals,
      `def net(items):
    return add([item["price"] for item in items])
def label(items):
    return ", ".join(items)
def add(prices):
    total = 0
    for price in prices:
        total -= price
    return total
`,
    );
    await run(
      `import unittest
from totals import label, net
class Totals(unittest.TestCase):
    def test_a_label(self):
        self.assertEqual(label(["a"]), "a")
    def test_b_nothing(self):
        self.assertEqual(net([]), 0)
    def test_c_net(self):
        self.assertEqual(net([{"price": 3}]), 3)
    def test_d_net_of_two(self):
        self.assertEqual(net([{"price": 3}, {"price": 1}]), 4)
unittest.main()
`,
      [[9, 8, true]],
      ["-3 != 3"],
    );
    const ran = await testRun();
    const alike = { file: totals, failed: 1, passed: 1 };
    expect(ran).toEqual({
      failed: 1,
      passed: 2,
      functions: [
        { ...alike, function: "add", starts: 5 },
        { ...alike, function: "net", starts: 1 },
      ],
    });
  });

  it("leaves out what has no file: Python's own code, and code made while it ran", async () => {
    await run(
      `import unittest
from collections.abc import Mapping
exec("def doubled(value): return 2 * value")
class Prices(Mapping):
    def __getitem__(self, name): return 3
    def __iter__(self): return iter(["a"])
    def __len__(self): return 1
class Totals(unittest.TestCase):
    def test_price(self):
        self.assertEqual(doubled(Prices().get("a")), 3)
unittest.main()
`,
      [[10, 9, true]],
      ["6 != 3"],
    );
    const ran = await testRun();
    expect(ran?.functions.map((one) => one.function)).toEqual(["__getitem__"]);
  });
});
