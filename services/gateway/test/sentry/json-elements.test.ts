import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonElements } from "../../src/sentry/json-elements.ts";

const read = (json: string): unknown[] =>
  [...jsonElements(Buffer.from(json), "items")].map((element): unknown => JSON.parse(element.toString("utf8")));

describe("the elements of a list in JSON", () => {
  it("are those that the parser finds, whatever they hold and however it is written", () => {
    const others = fc.dictionary(
      fc.string().filter((name) => name !== "items"),
      fc.jsonValue(),
    );
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
    for (const json of ['{"items":[1,', '{"items":[1,]}', '{"items":["a', '{"items":[{"a":1', '{"items":[']) {
      expect(() => read(json)).toThrow(SyntaxError);
    }
  });

  it("end where the bytes end, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\ aitems1') }), (text) => {
        const elements = [...jsonElements(Buffer.from(`{"items":[${text}`), "items")];
        expect(elements.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
