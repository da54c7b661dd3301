import { describe, expect, it } from "vitest";
import { differencesOf, failuresOf, type TimedRun } from "../src/prove/compare-runs.ts";

const run = (code: number, output: string, tookMs = 100): TimedRun => ({
  ended: { code, output, isCut: false },
  tookMs,
});
const passed = (output: string, tookMs?: number) => run(0, output, tookMs);
const failed = (output: string, tookMs?: number) => run(1, output, tookMs);

describe("what tells failed runs from those that passed", () => {
  it("is nothing without both", () => {
    expect(differencesOf([failed("a\nError: x\n"), failed("b\nError: x\n")])).toEqual([]);
    expect(differencesOf([passed("a\n")])).toEqual([]);
  });

  it("is a line that each failed run printed before its failure, numbers aside", () => {
    const runs = [
      failed("start 1\ncache miss after 12 ms\nError: x\n  at a.js:1\n"),
      passed("start 2\n"),
      failed("start 3\ncache miss after 7 ms\nError: y\n"),
    ];
    expect(differencesOf(runs)).toEqual([{ kind: "line", text: "cache miss after 12 ms" }]);
  });

  it("isn't a line that only some failed runs printed, or one that a run printed that passed", () => {
    const runs = [failed("retry\nslow disk\nError: x\n"), failed("retry\nError: x\n"), passed("retry\n")];
    expect(differencesOf(runs)).toEqual([]);
  });

  it("isn't a line that a run that passed may have printed before the part of its output that was kept", () => {
    const cut = { ended: { ...passed("later\n").ended, isCut: true }, tookMs: 100 };
    expect(differencesOf([failed("pool started\nError: x\n"), cut])).toEqual([]);
  });

  it("isn't what an uncaught error prints of its place", () => {
    expect(differencesOf([failed("/srv/a.js:11\nrow.total;\n    ^\n\nTypeError: x\n"), passed("done\n")])).toEqual([]);
  });

  it("is the order of two lines, where it is always the other way around", () => {
    const runs = [failed("✓ b 3 ms\n✓ a 1 ms\nError: x\n"), passed("✓ a 1 ms\n✓ b 2 ms\n")];
    expect(differencesOf(runs)).toEqual([{ kind: "order", first: "✓ b 3 ms", second: "✓ a 1 ms" }]);
    expect(differencesOf([...runs, passed("✓ b 1 ms\n✓ a 2 ms\n")])).toEqual([]);
  });

  it("is the seeds that all runs printed", () => {
    const runs = [failed("Seed: 41\nError: x\n"), passed('Running tests with seed "77"\n')];
    expect(differencesOf(runs)[0]).toEqual({ kind: "seeds", failed: ["41"], passed: ["77"] });
    expect(differencesOf([failed("Seed: 41\n"), passed("Seed: 41\n")])).toEqual([]);
  });

  it("is how long they took, where each failed run took half as long again as any that passed", () => {
    const times = (failedMs: number) =>
      differencesOf([failed("Error: x\n", failedMs), passed("", 90), passed("", 100)]);
    expect(times(151)).toEqual([{ kind: "duration", failedMs: [151, 151], passedMs: [90, 100] }]);
    expect(times(150)).toEqual([]);
  });
});

describe("the failures of several runs", () => {
  it("are counted by the line that begins them, the most frequent first", () => {
    const runs = [
      failed("TimeoutError: 31 ms\n"),
      failed("a\nTypeError: x\n"),
      failed("TimeoutError: 40 ms\n"),
      passed(""),
    ];
    expect(failuresOf(runs)).toEqual([
      { text: "TimeoutError: 31 ms", runs: 2 },
      { text: "TypeError: x", runs: 1 },
    ]);
  });
});
