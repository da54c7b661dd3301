import { describe, expect, it } from "vitest";
import { isReserved } from "../bench/rca/corpora/reserved.ts";
import { culpritsIn } from "../bench/rca/pasted/culprits.ts";
import { halves, readPasted } from "../bench/rca/pasted/pasted-case.ts";
import { pastedFrames } from "../bench/rca/pasted/printed-frames.ts";
import { stackLines } from "../bench/rca/pasted/stack-lines.ts";
import { pathOf } from "../bench/rca/pasted/tree.ts";

describe("the corpus of pasted stacks", () => {
  const cases = halves.flatMap((half) => readPasted(half).map((one) => ({ half, ...one })));

  it("has each repository in one half only", () => {
    const split = [...Map.groupBy(cases, ({ repository }) => repository)].filter(
      ([, own]) => new Set(own.map(({ half }) => half)).size > 1,
    );
    expect(split.map(([repository]) => repository)).toEqual([]);
  });

  it("has no repository reserved for measuring", () => {
    expect(cases.filter(({ repository }) => isReserved("", repository))).toEqual([]);
  });

  it("has enough cases in each half to say something", () => {
    for (const half of halves) expect(cases.filter((one) => one.half === half).length).toBeGreaterThanOrEqual(100);
  });
});

describe("the patterns that the baselines read a pasted stack with", () => {
  it.each([
    [
      "python",
      'Traceback (most recent call last):\n  File "a/main.py", line 3, in run\n    go()\n  File "a/core.py", line 9, in go\nKeyError: 1',
      ["a/core.py 9 go", "a/main.py 3 run"],
    ],
    [
      "java",
      "java.lang.IllegalStateException: late\n\tat org.acme.Late.end(Late.java:4)\nCaused by: java.io.IOException\n\tat org.acme.Reader.read(Reader.java:7)",
      ["org/acme/Reader.java 7 read", "org/acme/Late.java 4 end"],
    ],
    ["javascript", "TypeError: x\n    at Cart.sum (/srv/cart.js:5:11)", ["/srv/cart.js 5 Cart.sum"]],
    [
      "go",
      "goroutine 1 [running]:\nmain.load(0x1)\n\t/go/src/acme/load.go:12 +0x1d",
      ["/go/src/acme/load.go 12 main.load"],
    ],
    ["ruby", "lib/acme/pool.rb:8:in `take': empty (RuntimeError)", ["lib/acme/pool.rb 8 take"]],
    ["php", "#0 /srv/src/Cart.php(21): Acme\\Cart->total()", ["/srv/src/Cart.php 21 total"]],
    ["rust", "thread 'main' panicked at src/load.rs:30:5:", ["src/load.rs 30 "]],
  ])("put the innermost call of %s first", (language, text, frames) => {
    expect(pastedFrames(text, language).map(({ file, line, function: name }) => `${file} ${line} ${name}`)).toEqual(
      frames,
    );
  });
});

describe("what is taken from the description of a fix", () => {
  it("is the stack with its first and last line, without what the author says about it", () => {
    const message =
      'Check the key\n\nUsers saw:\n\nTraceback (most recent call last):\n  File "a.py", line 3, in run\n    go()\nKeyError: 1\n\nThe key may be missing.';
    expect(stackLines(message, "python")).toEqual([5, 8]);
  });

  it("is nothing if it contains no call", () => {
    expect(stackLines("Raise KeyError for unknown keys", "python")).toBeUndefined();
  });

  it("names the function around each change, and leaves out tests and comments", () => {
    const diff = [
      "diff --git a/acme/core.py b/acme/core.py\n--- a/acme/core.py\n+++ b/acme/core.py",
      "@@ -9 +9 @@ def go(key):\n-    return table[key]\n+    return table.get(key)",
      "@@ -20 +20 @@ def stop():\n-    # now\n+    # later",
      "diff --git a/tests/test_core.py b/tests/test_core.py\n--- a/tests/test_core.py\n+++ b/tests/test_core.py",
      "@@ -1 +1 @@ def test_go():\n-    go(1)\n+    go(2)",
    ].join("\n");
    expect(culpritsIn(diff, "python")).toEqual([{ file: "acme/core.py", function: "go", line_start: 9, line_end: 9 }]);
  });

  it.each([
    ["/usr/lib/python3/site-packages/acme/core.py", "src/acme/core.py"],
    ["/usr/lib/python3/site-packages/other/core.py", undefined],
    ["core.py", undefined],
    ["setup.py", "setup.py"],
  ])("finds the file of the repository that %s means", (printed, path) => {
    const paths = ["src/acme/core.py", "lib/acme/old/core.py", "setup.py"];
    const byName = Map.groupBy(paths, (one) => one.slice(one.lastIndexOf("/") + 1));
    expect(pathOf(printed, byName)).toBe(path);
  });
});
