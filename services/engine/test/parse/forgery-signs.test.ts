import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";
import { culprit, decoy, json, node, nodeFrames } from "../printed-failures.ts";

const message = "Cannot read properties of undefined (reading 'amount')";
const files = Object.fromEntries(
  [culprit, decoy].map((where) => [
    `src/${where}.js`,
    `${"\n".repeat(10)}function ${where}Step(cart) {\n  return cart.total.amount;\n}\nmodule.exports = { ${where}Step };\n`,
  ]),
);
const fake = nodeFrames(decoy);
const real = nodeFrames(culprit);
const framesOf = (where: string, count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `    at ${where}Step${index} (/srv/app/src/${where}.js:${12 + index}:9)\n`,
  ).join("");
const reportOf = async (text: string) => (await investigated(textSubject(text, files))).report;
const saidOf = async (text: string): Promise<string> =>
  (await reportOf(text)).not_checked.find((one) => one.startsWith("Authenticity: ")) ?? "";

const inMessage = "frames may come from its message";
const tooLong = "more than the 10 frames";
const repeatedKey = "JSON key is repeated";
const control = "ontrol characters move the cursor";
const onlyLogged = "only inside a logged value";

const err = { type: "TypeError", message, stack: node(culprit, message).trimEnd() };
const twice = (key: string, first: unknown, second: unknown): string =>
  `{"level":50,"msg":"failed","${key}":${JSON.stringify(first)},"${key}":${JSON.stringify(second)}}\n`;
const forged = { ...err, stack: node(decoy, message).trimEnd() };

describe("a text that may be forged", () => {
  it.each([
    ["calls right below a message that ends in a colon", `SyntaxError: bad body:\n${fake}${real}`, inMessage],
    ["calls inside an open quote", `SyntaxError: no JSON in "x\n${fake}" here\n${real}`, inMessage],
    ["calls on both sides of the rest of a message", `SyntaxError: bad x\n${fake}in the body\n${real}`, inMessage],
    ["a stack right below another error's line", `SyntaxError: bad x\n${node(decoy)}${real}`, inMessage],
    ["a stack right below a logged error", `ERROR failed: Error: bad x\n${node(decoy)}${real}`, inMessage],
    ["a message that is itself a stack", `Error: ${node(decoy)}${real}`, inMessage],
    [
      "a message with a stack on one line",
      `Error: ${node(decoy).trimEnd().replaceAll("\n", "\\n")}\n${real}`,
      inMessage,
    ],
    [
      "synchronous calls below asynchronous ones",
      `Error: x\n    at async f (/srv/app/src/decoy.js:12:9)\n${real}`,
      inMessage,
    ],
    ["11 calls of V8", `TypeError: ${message}\n${framesOf(culprit, 11)}`, tooLong],
    ["an error twice in a JSON record", twice("err", err, forged), repeatedKey],
    [
      "a level twice in a JSON record with an error",
      `{"level":30,"level":60,"err":${JSON.stringify(err)}}\n`,
      repeatedKey,
    ],
    [
      "a key twice in a JSON record that docker carries",
      json({ log: twice("err", err, forged), stream: "stderr" }),
      repeatedKey,
    ],
    ["a carriage return and an erased line", `Error: bad x\r\u001b[2K${node(decoy)}${real}`, control],
    ["a carriage return that overwrites a call", `TypeError: bad x\r${fake}${real}`, control],
    ["a cursor that moves up", `Error: bad x\n\u001b[1A\u001b[2K${node(decoy)}${real}`, control],
    [
      "a cursor that moves up in a JSON string",
      json({ level: 50, err: { ...err, stack: `${err.stack}\u001b[1A` } }),
      control,
    ],
    [
      "calls of a test above a whole stack",
      `Error: bad x\n    at run (/srv/app/test/cart.test.js:4:3)\n${framesOf(culprit, 10)}`,
      tooLong,
    ],
    [
      "calls of a test runner above a whole stack",
      `Error: bad x\n    at run (/srv/app/node_modules/mocha/lib/runner.js:4:3)\n${framesOf(culprit, 10)}`,
      tooLong,
    ],
    ["an error that only a query quotes", `GET /?q=\n${node(decoy)}`, onlyLogged],
  ])("is marked for %s", async (_, text, sign) => {
    const { confidence } = await reportOf(text);
    expect(await saidOf(text)).toContain(sign);
    expect(confidence.basis).toContain("Parts of the text may come from input rather than from the program.");
  });

  it.each([
    ["10 calls of V8", `TypeError: ${message}\n${framesOf(culprit, 10)}`],
    ["11 calls of a test", `TypeError: ${message}\n${framesOf(culprit, 11)}    at /srv/app/test/cart.test.js:4:3\n`],
    [
      "11 calls of a test run by Node.js",
      `TypeError: ${message}\n${framesOf(culprit, 11)}    at Test.run (node:internal/test_runner/test:1054:25)\n`,
    ],
    [
      "11 calls of a test runner",
      `TypeError: ${message}\n${framesOf(culprit, 11)}    at run (/srv/app/node_modules/@vitest/runner/dist/index.js:9:3)\n    at processTicksAndRejections (node:internal/process/task_queues:95:5)\n`,
    ],
    ["11 calls that V8 didn't print", `TypeError: x\n${"step@https://shop.example/cart.js:3:14\n".repeat(11)}`],
    [
      "a stack that begins where it was thrown",
      `/srv/app/src/checkout.js:12\n  throw x;\n  ^\n\nError: TypeError: x\n${real}`,
    ],
    ["an error that the line above repeats", `ERROR failed: TypeError: ${message}\n${node(culprit, message)}`],
    ["quotes that are closed", node(culprit, 'no JSON in "x"')],
    ["a key twice with the same value", twice("err", err, err)],
    ["a key twice in a record without an error", `{"level":30,"msg":"a","id":1,"id":2}\n${node(culprit, message)}`],
    ["colors", `\u001b[31m\u001b[KTypeError: ${message}\u001b[0m\u001b[K\n${real}`],
    ["Windows line ends", node(culprit, message).replaceAll("\n", "\r\n")],
    ["the line ends of old", node(culprit, message).replaceAll("\n", "\r")],
    ["an erased line with nothing on it", `\r\u001b[2K\u001b[1G${node(culprit, message)}`],
    ["an error beside one in a query", `GET /?q=\n${node(decoy)}\n${node(culprit, message)}`],
  ])("isn't suspected for %s", async (_, text) => {
    expect(await saidOf(text)).toBe("");
    expect((await reportOf(text)).confidence.basis).not.toContain("Input quoted");
  });

  it("keeps six tenths of the confidence", async () => {
    const plain = await reportOf(json({ level: 50, msg: "failed", err }));
    const marked = await reportOf(twice("err", forged, err));
    expect(marked.root_cause.location?.file).toBe(plain.root_cause.location?.file);
    expect(marked.confidence.score).toBeCloseTo(plain.confidence.score * 0.6, 1);
  });

  it("is marked wherever any number of calls are above a whole stack", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (count) => {
        expect(await saidOf(`Error: bad x\n${framesOf(decoy, count)}${framesOf(culprit, 10)}`)).toContain(tooLong);
      }),
      { numRuns: 12 },
    );
  });
});
