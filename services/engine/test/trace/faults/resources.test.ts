import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a resource", () => {
  const unreleased = async (body: string, message = "Error: timed out waiting for a connection"): Promise<object[]> =>
    ofKind(
      await signalsIn({ "a.js": `async function f(pool) {\n${body}\n}\n` }, message, "f (/srv/b.js:1:1)"),
      "unreleased-resource",
    );

  it("that an early return keeps is named with the line that leaves", async () => {
    const body = "  const c = await pool.acquire();\n  if (c.old) return null;\n  c.release();";
    expect(await unreleased(body)).toEqual([{ line: 2, args: { acquire: "pool.acquire", leavesAtLine: 3 } }]);
  });

  it("that is never released is named", async () => {
    expect(await unreleased("  const c = await pool.acquire();\n  c.query();")).toMatchObject([
      { args: { leavesAtLine: null } },
    ]);
  });

  it.each([
    "  const c = await pool.acquire();\n  try { c.query(); } finally { c.release(); }",
    "  const c = await pool.acquire();\n  return c;",
    "  const c = await pool.acquire();\n  this.held = c;",
    "  this.held = await pool.acquire();",
    "  state.held = pool.acquire();",
  ])("that is released or passed on isn't: %s", async (body) => {
    expect(await unreleased(body)).toEqual([]);
  });

  it.each([
    "    with open(path) as handle:\n        return handle.read()",
    "    handle = open(path)\n    with handle:\n        return handle.read()",
    "    handle = open(path)\n    with closing(handle) as one:\n        return one.read()",
  ])("that a `with` block releases isn't: %s", async (body) => {
    const found = await signalsIn(
      { "a.py": `def f(path):\n${body}\n` },
      "Error: timed out waiting for a lock",
      "f (/srv/b.js:1:1)",
    );
    expect(ofKind(found, "unreleased-resource")).toEqual([]);
  });

  it("that nothing closes is named in Python, too", async () => {
    const code = "def f(path):\n    handle = open(path)\n    for line in handle:\n        print(line)\n";
    const found = await signalsIn({ "a.py": code }, "Error: timed out waiting for a lock", "f (/srv/b.js:1:1)");
    expect(ofKind(found, "unreleased-resource")).toMatchObject([{ args: { acquire: "open" } }]);
  });

  it("is only searched for when the error is about something that ran out", async () => {
    expect(
      await unreleased("  const c = await pool.acquire();\n  c.query();", "TypeError: x is not a function"),
    ).toEqual([]);
  });
});
