import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

/** The signals about a watch that finds the main thread on a line of a function. */
const seenAt = (line: number, body: string) =>
  signalsIn(
    { "src/report.js": `export function render(rows) {\n${body}\n}\n` },
    "Error: event loop blocked for 5000 ms",
    `render (/srv/src/report.js:${line}:3)`,
  );

describe("a loop on the stack of a blocked thread", () => {
  it("is named with what its condition reads, if nothing inside changes that", async () => {
    const loop = "  let at = 0;\n  let sum = 0;\n  while (at < 10) {\n    sum += 1;\n  }\n  return sum;";
    expect(ofKind(await seenAt(5, loop), "endless-loop")).toEqual([{ line: 4, args: { names: ["at"] } }]);
  });

  it("is named without a condition, too", async () => {
    const loop = "  let sum = 0;\n  while (true) {\n    sum += 1;\n  }";
    expect(ofKind(await seenAt(4, loop), "endless-loop")).toEqual([{ line: 3, args: { names: [] } }]);
  });

  it.each([
    ["changes what the condition reads", "  let at = 0;\n  while (at < 10) {\n    at += 1;\n  }"],
    ["returns", "  while (true) {\n    if (rows.length > 3) return rows;\n  }"],
    ["breaks", "  while (true) {\n    if (rows.length > 3) break;\n  }"],
    ["calls what may throw", "  while (true) {\n    check(rows);\n  }"],
    [
      "hands the object of the condition on",
      "  const state = { at: 0 };\n  while (state.at < 10) {\n    step(state);\n  }",
    ],
  ])("isn't named if its body %s", async (_, loop) => {
    for (const line of [3, 4]) expect(ofKind(await seenAt(line, loop), "endless-loop")).toEqual([]);
  });
});

describe("a call on the stack of a blocked thread", () => {
  it("is named if it waits for its result", async () => {
    expect(ofKind(await seenAt(2, "  return gzipSync(rows);"), "blocking-call")).toEqual([
      { line: 2, args: { call: "gzipSync", how: "synchronous" } },
    ]);
  });

  it("is named if it converts a whole value", async () => {
    expect(ofKind(await seenAt(2, "  return JSON.stringify(rows);"), "blocking-call")).toEqual([
      { line: 2, args: { call: "JSON.stringify", how: "conversion" } },
    ]);
  });

  it("isn't named if it does neither", async () => {
    expect(ofKind(await seenAt(2, "  return sorted(rows);"), "blocking-call")).toEqual([]);
  });
});
