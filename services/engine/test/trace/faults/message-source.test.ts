import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, stepsOf, traced } from "../signals-in.ts";

describe("a message", () => {
  it.each([
    ["a template", `throw new Error(\`order \${id} was refused by the bank\`);`],
    ["pieces", "throw new Error('order ' + id + ' was refused by the bank');"],
    ["a constant", "const text = 'order %s was refused by the bank';\nthrow new Error(format(text, id));"],
    [
      "a table",
      `const texts = { refused: (id) => \`order \${id} was refused by the bank\` };\nthrow new Error(texts.refused(id));`,
    ],
  ])("leads to the code that builds it, by %s", async (_, code) => {
    const files = { "a.js": `${code}\n`, "b.js": "throw new Error('something else');\n" };
    const [found] = ofKind(
      await signalsIn(files, "Error: order 7 was refused by the bank", "run (node:internal/process:1:1)"),
      "message-source",
    );
    const line = code.split("\n").length;
    expect(found?.line).toBe(line);
  });

  it("in a logged line leads to the call that logs it, and on from there", async () => {
    const files = {
      "a.js": `const limit = process.env.LIMIT;\nif (limit < 1) console.error(\`the limit \${limit} is not allowed here\`);\n`,
    };
    const { signals } = await traced('{"level":50,"msg":"the limit 0 is not allowed here"}\n', files);
    expect(ofKind(signals, "message-source")).toMatchObject([{ line: 2 }]);
    expect(stepsOf(signals)).toContain("environment a.js:1");
  });
});
