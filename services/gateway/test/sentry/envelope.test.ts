import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReadType } from "../../src/sentry/envelope.ts";
import { EnvelopeReader, parseEnvelope } from "../../src/sentry/envelope-reader.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";

/** A payload with or without newlines, and whether its length is announced: without, it ends with its line. */
const item = fc
  .record({
    type: fc.oneof(fc.constantFrom("event", "session", "transaction"), fc.string({ minLength: 1, maxLength: 20 })),
    payload: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    announced: fc.boolean(),
  })
  .map(({ payload, announced, ...rest }) => ({
    ...rest,
    payload,
    announced: announced || payload.length === 0 || payload.includes(10),
  }));

function written(header: object, items: readonly { type: string; payload: Buffer; announced: boolean }[]): Buffer {
  const parts = items.flatMap(({ type, payload, announced }) => [
    Buffer.from(`${JSON.stringify({ type, ...(announced ? { length: payload.length } : {}) })}\n`),
    payload,
    Buffer.from("\n"),
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}

const parse = (text: string) => parseEnvelope(Buffer.from(text));
const refusal = (text: string | Buffer): string => {
  try {
    parseEnvelope(Buffer.from(text));
    return "";
  } catch (error) {
    expect(error).toMatchObject({ code: "WHENCE_ERR_SENTRY_ENVELOPE", status: 400 });
    return String(error);
  }
};

describe("an envelope", () => {
  it("is read as it was written, whatever is in its payloads, without those of types that aren't read", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), fc.boolean(), (items, endsEarly) => {
        const header = { event_id: "0a7b4b8c6cc741f799d347f264f3cce3", dsn: "http://k@h/1" };
        const bytes = written(header, items);
        // The last newline may be missing.
        const parsed = parseEnvelope(endsEarly ? bytes.subarray(0, -1) : bytes);
        expect(parsed.eventId).toBe(header.event_id);
        expect(parsed.dsn).toBe(header.dsn);
        expect(parsed.items.map(({ type, payload }) => ({ type, payload: payload.toString("hex") }))).toEqual(
          items.map(({ type, payload }) => ({ type, payload: isReadType(type, false) ? payload.toString("hex") : "" })),
        );
      }),
    );
  });

  it("is read or refused the same however its bytes are cut into pieces", () => {
    const outcome = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    };
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), cuts, fc.nat(400), fc.nat(255), (items, places, at, byte) => {
        const whole = written({ event_id: "0a7b4b8c6cc741f799d347f264f3cce3" }, items);
        whole[at % whole.length] = byte;
        const pieces = outcome(() => {
          const reader = new EnvelopeReader(false);
          const ends = [...places.map((place) => place % whole.length), whole.length].sort((a, b) => a - b);
          let start = 0;
          for (const end of ends) {
            reader.push(whole.subarray(start, end));
            start = end;
          }
          return reader.end();
        });
        expect(pieces).toEqual(outcome(() => parseEnvelope(whole)));
      }),
    );
  });

  const { itemBytesMax, envelopeReadBytesMax } = sentryLimits;
  const itemsOf = (count: number, type: string, bytes: number, announced = true) =>
    Array.from({ length: count }, () => ({ type, payload: Buffer.alloc(bytes), announced }));

  it("keeps an item of 1 MiB, and of a larger one only that it is too large", () => {
    const read = (bytes: number, announced: boolean) =>
      parseEnvelope(written({}, itemsOf(1, "event", bytes, announced))).items.map(({ payload, isTooLarge }) => [
        ...[payload.length, isTooLarge],
      ]);
    for (const announced of [true, false]) {
      expect(read(itemBytesMax, announced)).toEqual([[itemBytesMax, false]]);
      expect(read(itemBytesMax + 1, announced)).toEqual([[0, true]]);
    }
  });

  it("keeps 8 MiB of all items that are read, and is refused beyond", () => {
    const full = itemsOf(envelopeReadBytesMax / itemBytesMax, "event", itemBytesMax);
    expect(parseEnvelope(written({}, full)).items).toHaveLength(full.length);
    expect(() => parseEnvelope(written({}, [...full, ...itemsOf(1, "event", 1)]))).toThrow("is over 8388608 bytes");
  });

  it("keeps nothing of items that are skipped, which leave the 8 MiB to the others", () => {
    const full = itemsOf(envelopeReadBytesMax / itemBytesMax, "event", itemBytesMax);
    const tooLarge = [true, false].flatMap((announced) => itemsOf(1, "transaction", itemBytesMax + 1, announced));
    expect(parseEnvelope(written({}, [...full, ...tooLarge])).items).toHaveLength(full.length + 2);
    const unread = itemsOf(1, "transaction", 1);
    expect(parseEnvelope(written({}, [...full, ...unread]), true).items).toHaveLength(full.length + 1);
    expect(() => parseEnvelope(written({}, [...full, ...unread]))).toThrow("is over 8388608 bytes");
  });

  it("skips the spans that the 8 MiB leave no room for, and keeps what else is read", () => {
    const read = (...items: ReturnType<typeof itemsOf>) =>
      parseEnvelope(written({}, items)).items.map(({ payload, isTooLarge }) => [payload.length, isTooLarge]);
    const event = itemsOf(1, "event", 1_000);
    for (const announced of [true, false]) {
      const spans = (bytes: number, count = 1) => itemsOf(count, "span", bytes, announced);
      const half = envelopeReadBytesMax / 2;
      expect(read(...event, ...spans(half, 2))).toEqual([
        [1_000, false],
        [half, false],
        [0, true],
      ]);
      expect(read(...spans(half, 2), ...event)).toEqual([
        [half, false],
        [0, true],
        [1_000, false],
      ]);
      expect(read(...spans(half - 1_000), ...spans(half), ...event)).toEqual([
        [half - 1_000, false],
        [half, false],
        [1_000, false],
      ]);
      expect(read(...spans(envelopeReadBytesMax), ...spans(1), ...spans(0), ...event, ...spans(9))).toEqual([
        ...[
          [0, true],
          [0, true],
          [0, false],
        ],
        ...[
          [1_000, false],
          [9, false],
        ],
      ]);
    }
    const full = itemsOf(envelopeReadBytesMax / itemBytesMax, "event", itemBytesMax);
    expect(() => read(...itemsOf(1, "span", 1), ...full, ...event)).toThrow("is over 8388608 bytes");
  });

  it("keeps no chunk alive for the small item in it", () => {
    const reader = new EnvelopeReader(false);
    reader.push(Buffer.from("{}\n"));
    const [small, large] = [itemsOf(1, "session", 10), itemsOf(1, "attachment", 262_144)];
    for (let count = 0; count < 50; count++) reader.push(written({}, [...small, ...large]).subarray(3));
    const kept = reader.end().items.filter(({ type }) => type === "session");
    expect(kept).toHaveLength(50);
    expect(kept.reduce((sum, { payload }) => sum + payload.buffer.byteLength, 0)).toBe(50 * 10);
  });

  it("is read or refused with a reason, never anything else, whatever its bytes are", () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const damaged = fc.tuple(fc.array(item, { maxLength: 4 }), fc.nat(400), fc.nat(255)).map(([items, at, byte]) => {
      const whole = written({}, items);
      whole[at % whole.length] = byte;
      return whole;
    });
    fc.assert(
      fc.property(fc.oneof(bytes, damaged), (body) => {
        try {
          const { items } = parseEnvelope(body);
          expect(items.length).toBeLessThanOrEqual(sentryLimits.itemsMax);
        } catch (error) {
          expect(error).toMatchObject({ code: "WHENCE_ERR_SENTRY_ENVELOPE" });
        }
      }),
    );
  });

  it("may have no items, and empty lines between and after them", () => {
    expect(parse("{}").items).toEqual([]);
    expect(parse("{}\n\n\n").items).toEqual([]);
    const spaced = parse('{}\n\n{"type":"session"}\n{}\n\n\n{"type":"event","length":2}\n{}\n\n');
    expect(spaced.items.map(({ type }) => type)).toEqual(["session", "event"]);
  });

  it("may have an item whose header ends it, which is empty", () => {
    expect(parse('{}\n{"type":"session"}').items).toMatchObject([{ type: "session", payload: Buffer.alloc(0) }]);
  });

  it("is refused when an item is shorter or longer than announced", () => {
    expect(refusal('{}\n{"type":"event","length":3}\n{}')).toContain("item 1 ends before its length of 3 bytes");
    expect(refusal('{}\n{"type":"event","length":1}\n{}')).toContain("item 1 goes on after its length of 1 bytes");
  });

  it("is refused when a header isn't an object of JSON, or an item has no type", () => {
    expect(refusal("")).toContain("its first line");
    expect(refusal("[]\n")).toContain("its first line");
    expect(refusal("{}\nnull\n{}")).toContain("the header of item 1");
    expect(refusal('{}\n{"length":2}\n{}')).toContain("the header of item 1");
    expect(refusal('{}\n{"type":"event","length":-1}\n{}')).toContain("the header of item 1");
  });

  it("may have 100 empty lines, and is refused with 101", () => {
    const lines = (count: number) => Buffer.from(`{}\n${"\n".repeat(count)}`);
    expect(parseEnvelope(lines(100)).items).toEqual([]);
    expect(() => parseEnvelope(lines(101))).toThrow("it has more than 100 empty lines");
  });

  it("may have 100 items, and is refused with 101", () => {
    const items = (count: number): string => `{}\n${'{"type":"session"}\n{}\n'.repeat(count)}`;
    expect(parse(items(sentryLimits.itemsMax)).items).toHaveLength(100);
    expect(refusal(items(sentryLimits.itemsMax + 1))).toContain("more than 100 items");
  });

  it("may have a header of 16,384 bytes, and is refused with one more", () => {
    const header = (bytes: number): string => `{"a":"${"x".repeat(bytes - '{"a":""}'.length)}"}\n`;
    expect(parse(header(sentryLimits.headerBytesMax)).items).toEqual([]);
    expect(refusal(header(sentryLimits.headerBytesMax + 1))).toContain("longer than 16384 bytes");
  });
});
