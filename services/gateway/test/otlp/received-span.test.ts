import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptSpan } from "../../src/otlp/kept-span.ts";
import { readRequest, traceRequest, traceRequestOf } from "../../src/otlp/requests.ts";
import { type Span, span } from "../../src/otlp/span-message.ts";
import { spanEvents } from "../../src/otlp/to-events.ts";
import { isSpanId, isTraceId } from "../../src/otlp/trace-ids.ts";
import { binaryTraces, type TestSpan } from "./spans.ts";

/** Writes one field. */
type Write = (writer: BinaryWriter) => void;
const many = (fields: fc.Arbitrary<Write>, maxLength = 6): fc.Arbitrary<Write> =>
  fc.array(fields, { maxLength }).map((all) => (writer) => {
    for (const write of all) write(writer);
  });

const varint = (number: number, values: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })) =>
  values.map(
    (value): Write =>
      (writer) =>
        writer.tag(number, WireType.Varint).uint64(value),
  );
const fixed = (number: number, values: fc.Arbitrary<bigint>) =>
  values.map(
    (value): Write =>
      (writer) =>
        writer.tag(number, WireType.Bit64).fixed64(value),
  );
const text = (number: number, ...texts: readonly string[]) =>
  fc.oneof(fc.constantFrom("", ...texts), fc.string({ unit: "binary" })).map(
    (value): Write =>
      (writer) =>
        writer.tag(number, WireType.LengthDelimited).string(value),
  );
const bytes = (number: number, length: number) =>
  fc
    .oneof(
      { arbitrary: fc.uint8Array({ minLength: length, maxLength: length }), weight: 5 },
      fc.constant(new Uint8Array(length)),
      fc.uint8Array({ maxLength: 20 }),
    )
    .map(
      (value): Write =>
        (writer) =>
          writer.tag(number, WireType.LengthDelimited).bytes(value),
    );
const nested = (number: number, fields: fc.Arbitrary<Write>) =>
  fields.map(
    (write): Write =>
      (writer) => {
        write(writer.tag(number, WireType.LengthDelimited).fork());
        writer.join();
      },
  );
/** A field that isn't known, or is of another type than it should be. */
const strange: fc.Arbitrary<Write> = fc.integer({ min: 1, max: 40 }).chain((number) =>
  fc.oneof(
    varint(number),
    fixed(number, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    bytes(number, 8),
    fc.constant<Write>((writer) => writer.tag(number, WireType.Bit32).fixed32(7)),
    fc.constant<Write>((writer) => {
      writer.tag(number, WireType.StartGroup).tag(1, WireType.Varint).int32(1).tag(number, WireType.EndGroup);
    }),
  ),
);

const answers = ["http.response.status_code", "http.status_code"];
const value = fc.letrec<{ value: Write }>((tie) => ({
  value: many(
    fc.oneof(
      { depthSize: "small" },
      varint(3, fc.oneof(fc.constantFrom(200n, 499n, 500n, 2n ** 32n + 200n), fc.bigInt({ min: 0n, max: 999n }))),
      text(1, "503", "200"),
      varint(2, fc.constantFrom(0n, 1n)),
      fixed(4, fc.constantFrom(0n, 4_647_503_709_213_818_880n)),
      nested(5, many(nested(1, tie("value")), 2)),
      nested(6, many(nested(1, many(fc.oneof(text(1), nested(2, tie("value"))), 2)), 2)),
      strange,
    ),
    2,
  ),
})).value;
const attribute = (number: number) =>
  nested(number, many(fc.oneof(text(1, ...answers, "http.method", "exception.type"), nested(2, value), strange), 3));
const times = fc.bigInt({ min: 1_770_000_000_000_000_000n, max: 1_770_000_003_000_000_000n });
const spanFields = fc.oneof(
  ...[bytes(1, 16), bytes(2, 8), bytes(4, 8), text(5), varint(6, fc.bigInt({ min: 0n, max: 6n }))],
  ...[fixed(7, times), fixed(8, times), attribute(9), strange],
  nested(11, many(fc.oneof(fixed(1, times), text(2, "exception"), attribute(3), strange), 4)),
  nested(15, many(fc.oneof(text(2), varint(3, fc.bigInt({ min: 0n, max: 3n })), strange), 3)),
);
const body = nested(1, nested(2, many(nested(2, many(spanFields, 14)), 4))).map((write) => {
  const writer = new BinaryWriter();
  write(writer);
  return Buffer.from(writer.finish());
});

const eager = traceRequestOf(span);
const spansOf = <One>(request: {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly One[] }[] }[];
}): readonly One[] => request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

/** Returns what a request was refused with, if it was. */
function outcomeOf<One>(read: () => readonly One[]): { readonly spans: readonly One[]; readonly refused: string } {
  try {
    return { spans: read(), refused: "" };
  } catch (error) {
    return { spans: [], refused: String(error) };
  }
}

const owner = { scopeId: "s", service: "orders", instance: "a", receivedAt: "2026-03-01T12:00:00.000Z" };

/** Whether an error of a span, or the span itself, is kept. */
function isKept(one: Span): boolean {
  return spanEvents(one, { name: "" }, { owner, requestOf: () => undefined }).length > 0 || keptSpan(one) !== undefined;
}

function expectTheSame(request: Buffer): void {
  const all = outcomeOf(() => spansOf(readRequest(eager, request, "protobuf")));
  const received = outcomeOf(() => spansOf(readRequest(traceRequest, request, "protobuf")));
  expect(received.refused).toBe(all.refused);
  expect(received.spans.length).toBe(all.spans.length);
  for (const [index, one] of received.spans.entries()) {
    const whole = all.spans[index];
    if (!whole) throw new Error("fewer spans");
    const { traceId, spanId, parentSpanId, kind } = whole;
    expect(one.read()).toEqual(whole);
    expect(one.link()).toEqual({ spanId, parentSpanId });
    expect([one.kind, one.hasIds]).toEqual([kind, isTraceId(traceId) && isSpanId(spanId)]);
    if (one.hasIds && !one.mayTell && !one.isOfSample) expect(isKept(whole)).toBe(false);
    if (one.hasIds && !one.mayTell) expect(keptSpan(whole)?.weight).not.toBe(1);
  }
}

describe("a span in protobuf that is read only when it may be kept", () => {
  it("is the same as one that is read at once, whatever fields it has, known and unknown, once and again", () => {
    fc.assert(fc.property(body, expectTheSame), { numRuns: 400 });
  });

  it("is refused for the same reason when its bytes are cut off or damaged", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });
    fc.assert(
      fc.property(body, fc.option(fc.nat()), damage, (whole, cutAt, changes) => {
        const request = Buffer.from(cutAt === null ? whole : whole.subarray(0, cutAt % (whole.length + 1)));
        for (const [at, byte] of changes) if (request.length > 0) request[at % request.length] = byte;
        expectTheSame(request);
      }),
      { numRuns: 600 },
    );
  });

  it("is taken where a number beside an empty value is longer than any", () => {
    const within = (tag: number, inner: Buffer): Buffer => Buffer.concat([Buffer.from([tag, inner.length]), inner]);
    const attribute = Buffer.from([0x0a, 1, 0x61, 0x12, 0, 0x18, ...Array.from({ length: 11 }, () => 0x80), 0]);
    expectTheSame(within(0x0a, within(0x12, within(0x12, within(0x4a, attribute)))));
  });

  const ids: TestSpan = { traceId: "f".repeat(32), spanId: "1".repeat(16), name: "GET", kind: 3 };
  const mayBeKept = (one: Partial<TestSpan>): readonly boolean[] =>
    spansOf(readRequest(traceRequest, binaryTraces({}, [{ ...ids, ...one }]), "protobuf")).map(
      ({ mayTell, isOfSample }) => mayTell || isOfSample,
    );

  it("isn't read when it is well, quick, and of a trace that isn't of the sample", () => {
    const startMs = Date.parse("2026-03-01T12:00:00.000Z");
    expect(mayBeKept({})).toEqual([false]);
    expect(mayBeKept({ status: 1, startMs, endMs: startMs + 999 })).toEqual([false]);
    expect(mayBeKept({ traceId: `${"f".repeat(24)}1999999a` })).toEqual([false]);
    expect(mayBeKept({ kind: 1, status: 2 })).toEqual([false]);
    expect(mayBeKept({ startMs, endMs: startMs + 1_000 })).toEqual([true]);
    expect(mayBeKept({ traceId: `${"f".repeat(24)}19999999` })).toEqual([true]);
    expect(mayBeKept({ status: 2 })).toEqual([true]);
    expect(mayBeKept({ kind: 1, exceptions: [{ "exception.type": "TypeError" }] })).toEqual([true]);
  });

  it.each(answers)("is read when its answer may have failed: %s", (name) => {
    expect(mayBeKept({ attributes: { [name]: "503" } })).toEqual([true]);
    expect(mayBeKept({ attributes: { [`${name}s`]: "503" } })).toEqual([false]);
    // The lower 32 bits of the last one are 200.
    expect([200, 499, 500, 2 ** 32 + 200].map((code) => mayBeKept({ answer: [name, code] }))).toEqual(
      [false, false, true, true].map((may) => [may]),
    );
  });
});
