import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventTexts } from "../../src/telemetry/event-texts.ts";

const message = (events: string, { before = "", after = "" } = {}) =>
  `{"scope_id":"org_1","batch":{${before}"service":"a{[,\\"b","events":${events},"sdk":{"name":"x"}}${after}}`;

describe("the texts of the events of a message", () => {
  it("say what the events say, whatever these are", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (events, other) => {
        const text = message(JSON.stringify(events), { before: `"other":${JSON.stringify(other)},` });
        expect(eventTexts(text)?.map((one) => JSON.parse(one))).toEqual(JSON.parse(text).batch.events);
      }),
    );
  });

  it("are what is in the message, to the character", () => {
    expect(eventTexts(message('[ {"id": "\\u0041]}\\\\" , "n":1.50} , {} ]'))?.map((text) => text.trim())).toEqual([
      '{"id": "\\u0041]}\\\\" , "n":1.50}',
      "{}",
    ]);
    expect(eventTexts(message("[]"))).toEqual([]);
  });

  it.each([
    ["has line breaks", message('[{"id":\n1}]')],
    ["has tabs", message('[{"id":\t1}]')],
    ["has its events twice", message("[1]", { before: '"events":[2],' })],
    ["may have its events twice, in other letters", message("[1]", { before: '"\\u0065vents":[2],' })],
    ["has two batches", message("[1]", { after: ',"batch":{"events":[2]}' })],
    ["may have two batches, in other letters", message("[1]", { after: ',"b\\u0061tch":{"events":[2]}' })],
    ["has no batch", '{"events":[1]}'],
    ["has no list of events", message("{}")],
    ["is a list", "[1]"],
  ])("are unknown of a message that %s", (_why, text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(eventTexts(text)).toBeUndefined();
  });
});
