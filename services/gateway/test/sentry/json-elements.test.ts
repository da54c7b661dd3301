import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonElements, scannedBytesMax } from "../../src/sentry/json-elements.ts";

const elementsOf = (json: string): Buffer[] =>
  [...jsonElements(Buffer.from(json), "items")].filter((element) => element !== null);
const read = (json: string): unknown[] =>
  elementsOf(json).map((element): unknown => JSON.parse(element.toString("utf8")));

describe("the elements of a list in JSON", () => {
  it("are those that the parser finds, whatever they hold and however it is written", () => {
    const others = fc
      .dictionary(
        fc.string().filter((name) => name !== "items"),
        fc.jsonValue(),
      )
      .filter((object) => Buffer.byteLength(JSON.stringify(object, null, 2)) < 4_000);
    fc.assert(
      fc.property(others, fc.array(fc.jsonValue()), others, fc.nat(2), (before, items, after, indent) => {
        const whole = { ...before, items, ...after };
        expect(read(JSON.stringify(whole, null, indent))).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });

  it("are none when it has no such list", () => {
    for (const json of [
      "",
      " ",
      "{",
      "{}",
      "[]",
      '["items"]',
      '{"items":{"items":[1]}}',
      '{"a":[1]}',
      '{"items"',
      "7",
    ]) {
      expect(read(json)).toEqual([]);
    }
    expect(read(' { "a" : "\\"items\\"" , "items" : [ ] } ')).toEqual([]);
  });

  it("are not all JSON when the list isn't", () => {
    const ends = ["", "}", "]", ",", ",]}", "]]}", "]}}", "],}", '],"a"}', "]}]", "],7}"];
    for (const list of ['{"items":[1', '{"items":["a', '{"items":[{"a":1', '{"items":[', '{"a":no,"items":[1']) {
      for (const end of ends) {
        expect(() => read(`${list}${end}`), `${list}${end}`).toThrow(SyntaxError);
      }
    }
    for (const list of ["1,,2", ",1", "{]}", " ,"]) expect(() => read(`{"items":[${list}]}`)).toThrow(SyntaxError);
  });

  it("come with pauses in a long one, whatever it is made of", () => {
    for (const piece of ["n", '\\"', "\\\\"]) {
      const text = piece.repeat((2.5 * scannedBytesMax) / piece.length);
      const found = [...jsonElements(Buffer.from(`{"items":["${text}",7]}`), "items")];
      expect(found.map((element) => element?.length)).toEqual([undefined, undefined, text.length + 2, 1]);
    }
  });

  it("are none when more than 4 kB come before the list, and not all JSON when more come after it", () => {
    const note = (length: number) => `"note":"${"n".repeat(length)}"`;
    expect(read(`{${note(4_000)},"items":[1],${note(4_000)}}`)).toEqual([1]);
    expect(read(`{${note(4_096)},"items":[1]}`)).toEqual([]);
    expect(read(`{${'"":0,'.repeat(1_000)}"items":[1]}`)).toEqual([]);
    expect(() => read(`{"items":[1],${note(4_096)}}`)).toThrow(SyntaxError);
  });

  it("end where the bytes end, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\ aitems1') }), (text) => {
        const elements = elementsOf(`{"items":[${text}`);
        expect(elements.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
