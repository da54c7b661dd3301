import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a full stack", () => {
  it("names a function that calls itself", async () => {
    const files = { "a.js": "function walk(node) {\n  return node.children.map((one) => walk(one));\n}\n" };
    const frames = Array.from({ length: 6 }, () => "walk (/srv/a.js:2:36)");
    const signals = await signalsIn(files, "RangeError: Maximum call stack size exceeded", ...frames);
    expect(ofKind(signals, "recursion")).toEqual([{ line: 1, args: { function: "walk" } }]);
  });

  it("names the function through which another calls itself", async () => {
    const files = {
      "a.js":
        "function list(text) {\n  return value(text.slice(1));\n}\nfunction value(text) {\n  return text[0] === '[' ? list(text) : text;\n}\n",
    };
    const frames = ["list (/srv/a.js:2:10)", "value (/srv/a.js:5:28)"];
    const signals = await signalsIn(
      files,
      "RangeError: Maximum call stack size exceeded",
      ...[...frames, ...frames, ...frames],
    );
    expect(ofKind(signals, "recursion").map(({ args }) => args)).toEqual([
      { function: "list", through: "value" },
      { function: "value", through: "list" },
    ]);
  });
});
