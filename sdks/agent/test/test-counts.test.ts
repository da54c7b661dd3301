import { describe, expect, it } from "vitest";
import { testCountsIn } from "../src/prove/test-counts.ts";

describe("the tests that a run counts", () => {
  it.each([
    ["node:test", "ℹ tests 4\nℹ suites 0\nℹ pass 3\nℹ fail 1\n", 3, 1],
    ["TAP", "1..4\n# tests 4\n# pass 3\n# fail 1\n", 3, 1],
    ["tape", "1..4\n# tests 4\n# pass  3\n# fail  1\n", 3, 1],
    ["uvu", "\n  Total:     4\n  Passed:    3\n  Skipped:   1\n  Duration:  0.51ms\n", 3, 1],
    ["AVA", "  ✔ one\n  ✘ [fail]: two Rejected\n  ✔ three (5ms)\n  ─\n\n  two\n\n  1 test failed\n", 2, 1],
    ["AVA that passes", "  ✔ one\n  ✔ two\n  ─\n\n  2 tests passed\n", 2, 0],
    ["Vitest", " Test Files  1 failed (1)\n      Tests  \u001b[31m1 failed\u001b[39m | 3 passed (4)\n", 3, 1],
    ["Jest", "Test Suites: 1 failed, 1 total\nTests:       1 failed, 3 passed, 4 total\n", 3, 1],
    ["Mocha", "\n  3 passing (5ms)\n  1 failing\n\n  1) adds\n", 3, 1],
    ["pytest", "====== 1 failed, 3 passed, 1 error in 0.12s ======\n", 3, 2],
    ["pytest -q", "3 passed in 0.12s\n", 3, 0],
    ["unittest", "Ran 6 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", 3, 2],
    ["unittest that passes", "Ran 3 tests in 0.001s\n\nOK\n", 3, 0],
    [
      "unittest with tests that are expected to fail",
      "Ran 4 tests in 0.001s\n\nOK (skipped=1, expected failures=2)\n",
      3,
      0,
    ],
    [
      "unittest with one that passes unexpectedly",
      "Ran 4 tests in 0.001s\n\nFAILED (expected failures=1, unexpected successes=1)\n",
      3,
      1,
    ],
    ["several packages", "# pass 3\n# fail 0\n# pass 2\n# fail 1\n", 5, 1],
  ])("are those of %s", (_, output, passed, failed) => {
    expect(testCountsIn(output)).toEqual({ passed, failed });
  });

  it("aren't known for a program without tests", () => {
    expect(testCountsIn("3 items passed to the queue\nTypeError: no\n")).toBeNull();
  });
});
