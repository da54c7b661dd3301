import { describe, expect, it } from "vitest";
import { isBoundedJson, jsonBounds, parseBoundedJson } from "../../src/http/bounded-json.ts";

const { depthMax, valuesMax } = jsonBounds;
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
/** An array is a value, and each comma in it another. */
const listOf = (values: number): string => JSON.stringify(Array(values).fill(0));

describe("a text from a third party", () => {
  it.each([
    ["arrays as deep as allowed", nested(depthMax)],
    ["objects as deep as allowed", objects(depthMax)],
    [
      "arrays beside each other",
      `[${Array(1_000)
        .fill(nested(depthMax - 1))
        .join(",")}]`,
    ],
    ["as many values as allowed", listOf(valuesMax)],
    [
      "brackets, commas, and quotes in a string",
      JSON.stringify(`\\"${"[".repeat(1_000)}\\\\"{${",".repeat(valuesMax)}`),
    ],
  ])("is parsed with %s", (_, text) => {
    expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ["arrays one level deeper", nested(depthMax + 1)],
    ["objects one level deeper", objects(depthMax + 1)],
    ["one value more", listOf(valuesMax + 1)],
    ["brackets after an escaped quote", `["\\\\","\\"",${nested(depthMax)}]`],
    ["brackets that are never closed", "[".repeat(5_000_000)],
    ["empty objects without end", `[${"{},".repeat(1_000_000)}`],
  ])("isn't parsed with %s", (_, text) => {
    expect([isBoundedJson(text), parseBoundedJson(text)]).toEqual([false, undefined]);
  });

  it("has a mark in place of each half of a pair of surrogates that is alone", () => {
    const escaped = String.raw`["\ud83d","\uDE00 \ud83d\ud83d\ude00","\\ud83d",{"\ud83d":"\n\u00e9"}]`;
    expect(parseBoundedJson(escaped)).toEqual(["\ufffd", "\ufffd \ufffd😀", String.raw`\ud83d`, { "\ufffd": "\né" }]);
  });

  it("gives nothing when it isn't JSON", () => {
    expect(["", "{", '"', '"\\', "]]", "soon"].map(parseBoundedJson)).toEqual(Array(6).fill(undefined));
  });
});
