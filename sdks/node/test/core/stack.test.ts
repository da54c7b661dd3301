import { describe, expect, it } from "vitest";
import { parseFrame, parseStack, withPlace } from "../../src/core/stack.ts";

describe("a line of a stack", () => {
  it.each([
    [
      "    at load (/srv/app/a.js:12:34)",
      { function: "load", file: "/srv/app/a.js", line: 12, column: 34, in_app: true },
    ],
    ["    at /srv/app/a.js:12:34", { file: "/srv/app/a.js", line: 12, column: 34, in_app: true }],
    ["    at async load (/srv/a.js:1:2)", { function: "load", file: "/srv/a.js", line: 1, column: 2, in_app: true }],
    ["    at async file:///srv/a.mjs:1:2", { file: "/srv/a.mjs", line: 1, column: 2, in_app: true }],
    ["    at new Pool (/srv/a.js:1:2)", { function: "new Pool", file: "/srv/a.js", line: 1, column: 2, in_app: true }],
    [
      "    at Object.run [as go] (/srv/a.js:1:2)",
      { function: "Object.run [as go]", file: "/srv/a.js", line: 1, column: 2, in_app: true },
    ],
    [
      "    at f (/srv/a (copy)/b.js:1:2)",
      { function: "f", file: "/srv/a (copy)/b.js", line: 1, column: 2, in_app: true },
    ],
    ["    at f (file:///srv/a%20b.js:1:2)", { function: "f", file: "/srv/a b.js", line: 1, column: 2, in_app: true }],
    ["    at f (C:\\app\\b.js:1:2)", { function: "f", file: "C:\\app\\b.js", line: 1, column: 2, in_app: true }],
    [
      "    at f (C:\\app\\node_modules\\x\\b.js:1:2)",
      { function: "f", file: "C:\\app\\node_modules\\x\\b.js", line: 1, column: 2, in_app: false },
    ],
    [
      "    at f (/srv/node_modules/x/b.js:1:2)",
      { function: "f", file: "/srv/node_modules/x/b.js", line: 1, column: 2, in_app: false },
    ],
    [
      "    at process.emit (node:events:514:20)",
      { function: "process.emit", file: "node:events", line: 514, column: 20, in_app: false },
    ],
    ["    at Array.map (<anonymous>)", { function: "Array.map", in_app: false }],
    ["    at async Promise.all (index 0)", { function: "Promise.all", in_app: false }],
    [
      "    at eval (eval at compile (/srv/a.js:3:4), <anonymous>:1:1)",
      { function: "eval", file: "/srv/a.js", line: 3, column: 4, in_app: true },
    ],
  ])("is split: %s", (line, frame) => {
    expect(parseFrame(line)).toEqual(frame);
  });

  it("has no line number that the wire format can't carry, even if the stack is forged", () => {
    expect(parseFrame(`    at f (/srv/a.js:${"9".repeat(20)}:1)`)?.line).toBe(1);
    expect(parseFrame("    at f (/srv/a.js:999999999:1)")?.line).toBe(999_999_999);
  });

  it.each([
    ["    at f (/srv/out/a.js:1:2)", "    at f (/srv/src/a.ts:10:20)"],
    ["    at async f (/srv/out/a.js:1:2)", "    at async f (/srv/src/a.ts:10:20)"],
    ["    at /srv/out/a.js:1:2", "    at /srv/src/a.ts:10:20"],
    ["    at async file:///srv/out/a.js:1:2", "    at async /srv/src/a.ts:10:20"],
    ["    at f (/srv (copy)/a.js:1:2)", "    at f (/srv/src/a.ts:10:20)"],
    ["    at f (<anonymous>)", "    at f (<anonymous>)"],
    ["Error: at last (/srv/out/a.js:1:2)", "Error: at last (/srv/out/a.js:1:2)"],
  ])("is printed with its mapped place: %s", (line, expected) => {
    const compiled = new Set(["/srv/out/a.js", "/srv (copy)/a.js"]);
    const mapped = (file: string) => (compiled.has(file) ? { file: "/srv/src/a.ts", line: 10, column: 20 } : undefined);
    expect(withPlace(line, mapped)).toBe(expected);
  });

  it("is undefined when it isn't a call", () => {
    expect(parseFrame("Error: at last")).toBeUndefined();
  });
});

describe("a stack", () => {
  it("starts after the message, even one that looks like calls", () => {
    const message = "failed\n    at the worst time";
    const { header, calls } = parseStack(`Error: ${message}\n    at f (/srv/a.js:1:2)`, `Error: ${message}`);
    expect(header).toBe(`Error: ${message}`);
    expect(calls.frames).toHaveLength(1);
  });

  it("has no calls when Error.stackTraceLimit is 0", () => {
    expect(parseStack("Error: x", "Error: x")).toEqual({ header: "Error: x", calls: { text: "", frames: [] } });
  });

  it("shares its calls with others from the same place", () => {
    const at = "\n    at f (/srv/a.js:1:2)";
    expect(parseStack(`Error: one${at}`, "Error: one").calls).toBe(parseStack(`Error: two${at}`, "AnotherTitle").calls);
  });

  it("keeps 100 calls of 101", () => {
    const lines = (count: number): string => "\n    at f (/srv/a.js:1:2)".repeat(count);
    expect(parseStack(`E${lines(100)}`, "").calls.frames).toHaveLength(100);
    expect(parseStack(`E${lines(101)}`, "").calls.frames).toHaveLength(100);
  });
});
