import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a full stack", () => {
  it("names a function that calls itself", async () => {
    const files = { "a.js": "function walk(node) {\n  return node.children.map((one) => walk(one));\n}\n" };
    const frames = Array.from({ length: 6 }, () => "walk (/srv/a.js:2:36)");
    const signals = await signalsIn(files, "RangeError: Maximum call stack size exceeded", ...frames);
    expect(ofKind(signals, "recursion").length).toBeGreaterThan(0);
  });
});
