import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { competitionFactor } from "../../src/rank/competing-errors.ts";
import { investigated, textSubject } from "../investigated.ts";
import { culprit, decoy, node, nodeCrash } from "../printed-failures.ts";

const error = (type: string, file: string) => `${type}: it failed\n    at run (/srv/app/${file}:3:5)\n`;
const factor = (text: string) => competitionFactor(parseText(text));

describe("other errors in the text", () => {
  it("leave the confidence unchanged when there are none, or when they point to the same file", () => {
    expect(factor(error("TypeError", "a.js"))).toBe(1);
    expect(factor(error("TypeError", "a.js") + error("RangeError", "a.js"))).toBe(1);
  });

  it("lower it when they point to another file: little for the first of several", () => {
    const text = error("TypeError", "a.js") + error("RangeError", "b.js");
    expect(parseText(text).chosenBecause?.reason).toBe("first-own-stack");
    expect(factor(text)).toBe(0.9);
  });

  it("halve it for an error that was chosen because it ended the process", () => {
    const crash = `${error("RangeError", "b.js")}\nNode.js v22.1.0\n`;
    const text = `ERROR request failed ${error("TypeError", "a.js")}\nnode:internal/process/promises:394\n${crash}`;
    expect(parseText(text).chosenBecause?.reason).toBe("ended-process");
    expect(factor(text)).toBe(0.5);
  });
});

const files = Object.fromEntries(
  [culprit, decoy].map((where) => [
    `src/${where}.js`,
    `${"\n".repeat(10)}function ${where}Step(cart) {\n  return cart.total.amount;\n}\nmodule.exports = { ${where}Step };\n`,
  ]),
);
const message = "Cannot read properties of undefined (reading 'amount')";
const fake = node(decoy, message);
const real = node(culprit, message);
const reportOf = async (text: string) => (await investigated(textSubject(text, files))).report;

describe("the report of a text with several errors", () => {
  it("names the errors that it didn't follow, and where they are", async () => {
    const { not_checked: notChecked } = await reportOf(
      `2026-03-01 10:00:00 ERROR x: ${fake}${nodeCrash(culprit, message)}`,
    );
    expect(notChecked).toContain("Other errors: `TypeError` at `/srv/app/src/decoy.js:12` wasn't followed.");
  });

  it("names the errors that it treated as input", async () => {
    const { not_checked: notChecked } = await reportOf(`GET /?q=\n${fake}\n`.repeat(20) + real);
    expect(notChecked).toContain("Logged values: `TypeError` at `/srv/app/src/decoy.js:12` was read as input.");
  });

  it.each([
    ["it ended the process", `2026-03-01 10:00:00 ERROR x: ${fake}${nodeCrash(culprit, message)}`],
    ["it is the last one that ended the process", `${nodeCrash(decoy)}\n${nodeCrash(culprit, message)}`],
    ["nothing follows it, and no logger printed it", `2026-03-01 10:00:00 ERROR x: ${fake}${real}`],
    ["it is the first with a stack through own code", `${real}\n\n${node("other")}`],
  ])("says why it chose one: %s", async (why, text) => {
    const { detailed_analysis: analysis, root_cause: cause } = await reportOf(text);
    expect(analysis).toContain(`The text has 1 more error. This one was chosen because ${why}.`);
    expect(cause.location?.file).toBe(`src/${culprit}.js`);
  });

  it("is less certain when another error points elsewhere", async () => {
    const alone = await reportOf(nodeCrash(culprit, message));
    for (const text of [
      `${fake}\n${nodeCrash(culprit, message)}`,
      `2026-03-01 10:00:00 ERROR x: ${fake}${real}`,
      `${real}\n\n${fake}`,
    ]) {
      const { confidence } = await reportOf(text);
      expect(confidence.score).toBeLessThan(alone.confidence.score);
      expect(confidence.basis).toContain("Another error in the text may be the actual failure.");
    }
  });

  it("is as certain as without it when the other error is input, or the same one printed again", async () => {
    const alone = await reportOf(real);
    for (const text of [`GET /?q=\n${fake}\n`.repeat(20) + real, `${real}\n`.repeat(20)]) {
      const { confidence } = await reportOf(text);
      expect(confidence.score).toBe(alone.confidence.score);
      expect(confidence.basis).not.toContain("Another error");
    }
  });
});
