import { describe, expect, it } from "vitest";
import { ofKind, stepsOf, traced } from "../signals-in.ts";

const labels = (line: string, head = "") => ({
  "Label.java": `class Label {\n    ${head}\n    String print(Job job, int width) {\n        return ${line};\n    }\n}\n`,
});

async function badValueOf(line: string, message: string) {
  const log = `Exception in thread "main" java.lang.${message}\n\tat shop.Label.print(Label.java:4)\n`;
  return ofKind((await traced(log, labels(line))).signals, "bad-value")[0]?.args;
}

describe("a range that isn't within a text", () => {
  it.each([
    ["begin 0, end 20, length 8", { expression: "width", was: "out of bounds" }],
    ["begin 0, end -1, length 8", { expression: "width", was: "out of bounds" }],
    ["begin 9, end 8, length 8", { expression: "job.start()", was: "out of bounds" }],
    ["begin -1, end 8, length 8", { expression: "job.start()", was: "out of bounds" }],
    ["begin 5, end 3, length 8", { expression: "job.name()", was: "reversed bounds" }],
  ])("is said of the bound that is outside: %s", async (message, said) => {
    const line = "job.name().substring(job.start(), width)";
    expect(await badValueOf(line, `StringIndexOutOfBoundsException: ${message}`)).toMatchObject(said);
  });

  it("is said of the only bound", async () => {
    const line = "job.name().substring(width)";
    const message = "StringIndexOutOfBoundsException: begin 9, end 8, length 8";
    expect(await badValueOf(line, message)).toMatchObject({ expression: "width", member: "substring" });
  });

  it("is said of the end of a part of a list", async () => {
    const line = "job.names().subList(job.start(), width)";
    const message = "IndexOutOfBoundsException: toIndex = 9";
    expect(await badValueOf(line, message)).toMatchObject({ expression: "width", member: "subList" });
  });
});

describe("an index that isn't in a list", () => {
  it("is past the end of the list if it is written there", async () => {
    const message = "IndexOutOfBoundsException: Index 0 out of bounds for length 0";
    expect(await badValueOf("job.names().get(0)", message)).toMatchObject({
      expression: "job.names()",
      was: "too short",
      use: "element",
    });
    expect(await badValueOf("job.names().get(width)", message)).toMatchObject({
      expression: "width",
      was: "out of bounds",
    });
  });
});

describe("a call that led to the error", () => {
  it("is the one of the function that the stack names, not one around it", async () => {
    const log = `Exception in thread "main" java.lang.StringIndexOutOfBoundsException: begin 0, end -1, length 8
\tat shop.Text.before(Text.java:3)
\tat shop.Label.print(Label.java:4)
`;
    const files = {
      "Text.java":
        "class Text {\n    static String before(String text, int at) {\n        return text.trim().substring(0, at);\n    }\n}\n",
      ...labels("Integer.parseInt(Text.before(job.name(), width))"),
    };
    const { signals } = await traced(log, files);
    const calls = ofKind(signals, "throw-site").map(({ args }) => args);
    expect(calls).not.toContainEqual(expect.objectContaining({ expression: "Integer.parseInt" }));
    expect(stepsOf(signals).join("\n")).toContain("Label.java:4");
  });
});

describe("a size of an array that is negative", () => {
  const message = "NegativeArraySizeException: -1";

  it("leads to what it is computed from", async () => {
    const log = `Exception in thread "main" java.lang.${message}\n\tat shop.Label.print(Label.java:4)\n`;
    const { signals } = await traced(log, labels("new int[2][size]", "int size = job.end() - job.start();"));
    expect(ofKind(signals, "throw-site")).toEqual([{ line: 4, args: { expression: "new int[2][size]" } }]);
    expect(stepsOf(signals)).toContain("computed Label.java:2");
  });

  it("isn't what is written as a number", async () => {
    const log = `Exception in thread "main" java.lang.${message}\n\tat shop.Label.print(Label.java:4)\n`;
    expect(stepsOf((await traced(log, labels("new int[2]"))).signals)).toEqual([]);
  });
});
