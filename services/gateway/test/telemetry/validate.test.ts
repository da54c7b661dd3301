import { eventSchema, limits, type TelemetryEvent, ValidationFailure } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateBatch } from "../../src/telemetry/validate.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

function nested(levels: number): unknown {
  return levels === 0 ? "deep" : [nested(levels - 1)];
}

/** Returns an event of exactly `bytes` bytes as JSON, made of many texts within their own limit. */
function eventOfBytes(bytes: number): TelemetryEvent {
  const filled = (fill: number) =>
    logEvent({
      id: "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01",
      timestamp: "2026-01-01T00:00:00Z",
      attributes: { fill: "é".repeat(Math.floor(fill / 2)) + "x".repeat(fill % 2) },
    });
  return filled(bytes - Buffer.byteLength(JSON.stringify(filled(0))));
}

describe("the limits of an event", () => {
  it.each<[string, TelemetryEvent, Record<string, unknown>]>([
    ["512 KiB as JSON", eventOfBytes(limits.eventBytesMax), eventOfBytes(limits.eventBytesMax + 1)],
    [
      "64 Ki characters of message",
      logEvent({ message: "m".repeat(limits.messageLengthMax) }),
      { ...logEvent(), message: "m".repeat(limits.messageLengthMax + 1) },
    ],
    [
      "100 levels of nesting",
      logEvent({ attributes: { nested: nested(98) } }),
      { ...logEvent(), attributes: { nested: nested(99) } },
    ],
    [
      "1,024 characters of a tag",
      logEvent({ tags: { tenant: "t".repeat(limits.tagValueLengthMax) } }),
      { ...logEvent(), tags: { tenant: "t".repeat(limits.tagValueLengthMax + 1) } },
    ],
    ["a text as tag", logEvent({ tags: { shard: "7" } }), { ...logEvent(), tags: { shard: 7 } }],
    ["an object as user", logEvent({ user: { id: 31 } }), { ...logEvent(), user: "31" }],
    ["objects as contexts", logEvent({ contexts: { cart: { items: 3 } } }), { ...logEvent(), contexts: { cart: 3 } }],
    ["seq from 1", logEvent({ seq: 1 }), { ...logEvent(), seq: 0 }],
    ["a UUID as id", logEvent({ id: "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01" }), { ...logEvent(), id: "019aa5c0" }],
    [
      "a time with a zone",
      logEvent({ timestamp: "2026-01-01T00:00:00+01:00" }),
      { ...logEvent(), timestamp: "2026-01-01T00:00:00" },
    ],
  ])("hold on both sides: %s", (_name, good, bad) => {
    const { accepted, rejected } = validateBatch(batchOf([good, bad, good]), null);
    expect(accepted.map(({ event }) => event)).toEqual([good, good]);
    expect(rejected).toMatchObject([{ index: 1, id: bad.id, detail: [{ msg: expect.any(String) }] }]);
  });

  it("state how many bytes an event may have", () => {
    const { rejected } = validateBatch(batchOf([eventOfBytes(limits.eventBytesMax + 1)]), null);
    expect(rejected[0]?.detail).toEqual([
      {
        loc: ["body"],
        type: "too_long",
        msg: "Event should have at most 524288 bytes as JSON",
        ctx: { max_length: 524_288 },
      },
    ]);
  });
});

describe("an event nested a million levels deep", () => {
  it("is rejected alone", () => {
    const depth = 1_000_000;
    const text = `${JSON.stringify(batchOf([logEvent()])).slice(0, -2)},${"[".repeat(depth)}${"]".repeat(depth)}]}`;
    const { accepted, rejected } = validateBatch(JSON.parse(text), null);
    expect(accepted).toHaveLength(1);
    expect(rejected).toMatchObject([{ index: 1, detail: [{ type: "value_error" }] }]);
  });
});

describe("the report of a rejected event", () => {
  it("lists at most 100 violations", () => {
    const frames = Array.from({ length: limits.framesMax }, () => ({ line: "", column: "" }));
    const event = { ...exceptionEvent("f"), exceptions: [{ type: "E", message: "", stack: "", frames }] };
    expect(validateBatch(batchOf([event]), null).rejected[0]?.detail).toHaveLength(100);
  });

  it("doesn't echo an invalid id", () => {
    const { rejected } = validateBatch(batchOf([{ id: "x".repeat(65) }, { id: 7 }, { id: "x".repeat(64) }]), null);
    expect(rejected.map(({ id }) => id)).toEqual([undefined, undefined, "x".repeat(64)]);
  });

  it("doesn't echo a secret in the wrong place", () => {
    const event = { ...logEvent(), request: { method: "GET", path: "/", headers: { authorization: 12_345_678 } } };
    const { rejected } = validateBatch(batchOf([event, { ...logEvent(), id: "whk_0123456789abcdef" }]), null);
    expect(JSON.stringify(rejected.map(({ detail }) => detail))).not.toMatch(/12345678|whk_/);
    expect(rejected).toHaveLength(2);
  });
});

describe("any JSON", () => {
  const anyEvent = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc
      .record({ id: fc.oneof(fc.uuid(), fc.jsonValue()), attributes: fc.jsonValue(), request: fc.jsonValue() })
      .map((changes) => ({ ...logEvent(), ...changes })),
    fc.dictionary(fc.string(), fc.jsonValue()).map((attributes) => ({ ...logEvent(), attributes })),
    fc
      .dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string())))
      .map((headers) => ({ ...logEvent(), request: { method: "GET", path: "/", headers } })),
    fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((vars) => ({ ...logEvent(), exceptions: [{ type: "E", message: "", stack: "", frames: [{ vars }] }] })),
  );

  it("as events is accepted or rejected, each once, and accepted ones are valid after redaction, too", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const { accepted, rejected } = validateBatch(JSON.parse(JSON.stringify(batchOf(events))), null);
        expect(accepted.length + rejected.length).toBe(events.length);
        for (const { event, text } of accepted) {
          expect(eventSchema.safeParse(event).success).toBe(true);
          expect(JSON.parse(text)).toEqual(event);
        }
        const indexes = rejected.map(({ index }) => index);
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });

  it("as a batch is valid or fails validation, without another error", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom("sdk", "host", "events", "dropped", "instance", "sent_at"), fc.jsonValue()),
        ),
        (body) => {
          try {
            validateBatch(body, null);
          } catch (error) {
            expect(error).toBeInstanceOf(ValidationFailure);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
