import { describe, expect, it } from "vitest";
import { sentencesSaid } from "../bench/holmesgpt/score.ts";
import { reportOn } from "../bench/rca/answer.ts";

const errorLog = "Error: connect ECONNREFUSED 127.0.0.1:5433\n    at stockOf (/srv/shop/src/stock.js:3:11)";

describe("an expected sentence", () => {
  it.each([
    ["has its names and numbers, and most of its words", "Nothing is listening on `127.0.0.1:5433`", 1],
    ["lacks a name", "Nothing is listening on `127.0.0.1:5434`", 0],
    ["lacks most of its words", "The certificate of 127.0.0.1:5433 expired yesterday", 0],
  ])("counts as said only by a report that has it: %s", async (_, sentence, said) => {
    const report = await reportOn({ errorLog, files: [] });
    expect(sentencesSaid(report, { text: "Why is the shop down?", expected: [sentence] })).toBe(said);
  });

  it("isn't said by repeating the question", async () => {
    const text = "Nothing is listening on 127.0.0.1:5433";
    expect(sentencesSaid(await reportOn({ errorLog, files: [] }), { text, expected: [text] })).toBe(0);
  });
});
