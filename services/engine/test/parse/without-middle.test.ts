import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { chainEndMax, chainHeadMax } from "../../src/parse/without-middle.ts";
import { investigated, textSubject } from "../investigated.ts";

const kept = chainHeadMax + chainEndMax;
const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
const nameOf = (index: number): string => `${names[index % 26]}${names[Math.floor(index / 26) % 26]}`;
const jvm = (causes: number): string => {
  const frame = "\tat a.b.C(D.java:1)\n";
  const caused = Array.from({ length: causes }, (_, index) => `Caused by: java.lang.E: ${nameOf(index)}\n${frame}`);
  return `java.lang.E: head\n${frame}${caused.join("")}`;
};
const node = (key: string, causes: number): string =>
  `Error: head\n    at f (/srv/a.js:1:1) {\n${`  ${key}: Error: b\n      at f (/srv/a.js:1:1) {\n`.repeat(causes)}`;

describe("an error with too many causes", () => {
  it("keeps as many as the maximum", () => {
    const { exceptions, chain, unread } = parseText(jvm(kept - 1));
    expect([exceptions.length, chain.length]).toEqual([kept, kept]);
    expect(unread).toEqual([]);
  });

  it("keeps the symptom and the origin, and says how many between them weren't read", () => {
    const { exceptions, chain, unread } = parseText(jvm(500));
    expect(chain).toHaveLength(kept);
    expect([exceptions[0]?.message, exceptions.at(-1)?.message]).toEqual(["head", nameOf(499)]);
    expect(exceptions[kept - chainEndMax]?.parent).toBe(chainHeadMax - 1);
    expect(unread).toContainEqual({ kind: "causes-left-out", causes: 501 - kept });
  });

  it.each([
    ["causes of the JVM", jvm(22_000)],
    ["nested causes of Node", node("[cause]", 20_000)],
    ["nested errors of Node", node("[errors]", 20_000)],
  ])("of maximum length has a short report that says so: %s", async (_, text) => {
    const { report } = await investigated(textSubject(text.slice(0, 1_048_576)));
    expect(report.evidence.length).toBeLessThanOrEqual(2 * kept);
    expect(report.not_checked.join("\n")).toMatch(/causes in the middle of the chain not read/);
  });
});
