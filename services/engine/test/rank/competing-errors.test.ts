import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { competitionFactor } from "../../src/rank/competing-errors.ts";

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
