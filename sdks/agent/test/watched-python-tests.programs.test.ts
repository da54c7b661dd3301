import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, testRun, useProgramFolder, written } from "./watched-folder.ts";
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

  it("writes what the tests of each process ran", async () => {
    const half = join(folder, "half.py");
    await writeFile(half, "def half(number):\n    return number / 2\n");
    const tests = (result: number): string => `import subprocess, sys, unittest
from half import half
class Halves(unittest.TestCase):
    def test_half(self):
        self.assertEqual(half(3), ${result})
`;
    await writeFile(join(folder, "other.py"), `${tests(1.5)}unittest.main()\n`);
    await run(
      `${tests(1)}subprocess.run([sys.executable, "-B", "other.py"])\nunittest.main()\n`,
      [[5, 4, true]],
      ["1.5 != 1"],
    );
    const parts = (await written()).filter((part) => part.tests);
    const ran = { file: half, function: "half", starts: 1, count: 1 };
    expect(parts.map((part) => part.tests)).toEqual(
      expect.arrayContaining([
        [{ errors: [], count: 1, functions: [ran] }],
        [{ errors: expect.arrayContaining(["AssertionError"]), count: 1, functions: [ran] }],
      ]),
    );
    expect(new Set(parts.map((part) => part.thread)).size).toBe(2);
  });

  it("counts the tests after the failing one in a process that is ended by a signal", async () => {
    await writeFile(join(folder, "half.py"), "def half(number):\n    return number / 2\n");
    await run(
      `import os, signal, time, unittest
from half import half
class Halves(unittest.TestCase):
    def test_a(self):
        self.assertEqual(half(3), 1)
    def test_b(self):
        half(1)
        time.sleep(0.3)
    def test_c(self):
        os.kill(os.getpid(), signal.SIGKILL)
unittest.main()
`,
      [[5, 4, true]],
      ["1.5 != 1"],
    );
    expect(await testRun()).toMatchObject({ passed: 2, functions: [{ function: "half", passed: 1 }] });
  });

  it("counts a test that is expected to fail as one that passes", async () => {
    await writeFile(join(folder, "half.py"), "def half(number):\n    return number / 2\n");
    await run(
      `import unittest
from half import half
class Halves(unittest.TestCase):
    @unittest.expectedFailure
    def test_a(self):
        self.assertEqual(half(3), 1)
    def test_b(self):
        self.assertEqual(half(3), 2)
unittest.main()
`,
      [[8, 7, true]],
      ["1.5 != 2"],
    );
    expect(await testRun()).toMatchObject({ failed: 0, passed: 1, functions: [{ function: "half", passed: 1 }] });
  });

  it("takes a test that waits for one", async () => {
    await writeFile(
      join(folder, "half.py"),
      "import asyncio\nasync def half(number):\n    await asyncio.sleep(0)\n    return number / 2\n",
    );
    await run(
      `import asyncio
import unittest
from half import half
class Halves(unittest.IsolatedAsyncioTestCase):
    async def test_a_whole(self):
        assert await half(4) == 2
        await asyncio.sleep(0)
    async def test_b_half(self):
        number = await half(3)
        await asyncio.sleep(0)
        assert number == 1, "odd"
unittest.main()
`,
      [[11, 8, true]],
      ["odd"],
    );
    expect(await testRun()).toMatchObject({
      failed: 0,
      passed: 1,
      functions: [{ function: "half", failed: 0, passed: 1 }],
    });
  });

  it("calls nothing of an error of the program", async () => {
    const { stderr } = await run(
      `import unittest
class Meta(type):
    __name__ = property(lambda kind: 1 / 0)
class Refused(Exception, metaclass=Meta):
    def __bool__(self): raise SystemExit("asked")
class Orders(unittest.TestCase):
    def test_order(self):
        with self.assertRaises(Refused):
            raise Refused("no stock")
unittest.main()
`,
      [[9, 7, true]],
      ["no stock"],
    );
    expect(stderr).toContain("OK");
  });

  it("takes a test that is tried again for one, and each row of a table for another", async () => {
    await writeFile(join(folder, "half.py"), "def half(number):\n    return number / 2\n");
    await run(
      `import unittest
from half import half
class Halves(unittest.TestCase):
    def test_half(self):
        assert half(3) == 1, "odd"
    def test_row(self, row, key):
        assert half(row) == 1, key
    def test_passes(self):
        half(1)
exec("""
def tries(name, *values):
    for _ in range(3):
        try:
            return getattr(Halves(), name)(*values)
        except AssertionError:
            pass
tries("test_half")
for row in [3, 4]:
    for key in [(1, 2), (2, 3)]:
        tries("test_row", row, key)
tries("test_passes")
""")
`,
      [[5, 4, true]],
      ["odd"],
    );
    expect(await testRun()).toMatchObject({ failed: 4, passed: 1, functions: [{ failed: 4, passed: 1 }] });
  });

  it("counts no test beyond those that are distinguished", async () => {
    await writeFile(join(folder, "half.py"), "def half(number):\n    return number / 2\n");
    await run(
      `from half import half
def test_a():
    assert half(3) == 1, "odd"
def test_b():
    half(1)
exec("""
try:
    test_a()
except AssertionError:
    pass
for _ in range(1_100):
    test_b()
""")
`,
      [[3, 2, true]],
      ["odd"],
    );
    expect(await testRun()).toMatchObject({ passed: 999, functions: [{ function: "half", passed: 999 }] });
  });

  it("calls nothing that a test replaced", async () => {
    const { stdout, stderr } = await run(
      `import unittest, unittest.mock
class Files(unittest.TestCase):
    @unittest.mock.patch("json.dumps")
    @unittest.mock.patch("builtins.open")
    def test_open(self, opened, dumped):
        try:
            raise ValueError("odd")
        except ValueError:
            print(opened.call_count + dumped.call_count)
unittest.main()
`,
      [[6, 3, true]],
      ["odd"],
    );
    expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: expect.stringContaining("OK") });
    expect(await testRun()).toMatchObject({ failed: 0, passed: 0 });
  });
});
