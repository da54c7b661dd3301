import type { Hit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { seenFiles } from "../src/prove/seen-files.ts";

const threw = (file: string, error: string, caller = "src/caller.js"): Hit => ({
  ...{ kind: "threw", file, line: 3, function: "f", starts: 1, error, nth: 0, at_ms: 1, values: {}, thread: "1" },
  callers: [{ file: caller, line: 9, function: null, starts: null }],
});
const after = (...hits: Hit[]): string[] => seenFiles({ hits }, ["no stock"]);

describe("the files that are sent after a watched run", () => {
  it("are those in which an error was thrown, and from which they were called", () => {
    expect(after(threw("src/a.js", "Error: other"))).toEqual(["src/a.js", "src/caller.js"]);
    expect(after(threw("node_modules/p/a.js", "Error: no stock"))).toEqual(["node_modules/p/a.js", "src/caller.js"]);
  });

  it("aren't those of an installed package that a test called, as a failed assertion shows them", () => {
    const failures = [
      threw("node_modules/chai/index.js", "AssertionError: no stock", "test/a.test.js"),
      threw("test/a.test.js", "AssertionError: no stock", "test/each.js"),
    ];
    expect(after(...failures)).toEqual(["test/a.test.js", "test/each.js"]);
  });

  it("aren't those of an installed package that threw something else than the failure", () => {
    expect(after(threw("node_modules/p/index.js", "Error: ENOENT"))).toEqual([]);
    expect(after(threw("/venv/lib/site-packages/p/a.py", "KeyError: 1"))).toEqual([]);
  });
});
