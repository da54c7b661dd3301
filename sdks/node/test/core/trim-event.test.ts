import { eventSchema, type TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeEvent, trimJson } from "../../src/core/trim-event.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";

const base: TelemetryEvent = {
  id: "01234567-89ab-7000-8000-000000000000",
  seq: 1,
  type: "exception",
  timestamp: "2026-11-21T09:30:03.871Z",
  level: "error",
  message: "x",
  mechanism: { type: "test", handled: true },
};

describe("an event in wire format", () => {
  it("is unchanged up to the limit, and trimmed one byte above it", () => {
    const overhead = Buffer.byteLength(JSON.stringify({ ...base, attributes: { a: "" } }));
    const fitting = { ...base, attributes: { a: "x".repeat(limits.eventBytesMax - overhead) } };
    expect(encodeEvent(fitting)).toBe(JSON.stringify(fitting));
    const beyond = { ...base, attributes: { a: "x".repeat(limits.eventBytesMax - overhead + 1) } };
    expect(Buffer.byteLength(encodeEvent(beyond))).toBeLessThanOrEqual(limits.eventBytesMax);
    expect(encodeEvent(beyond)).toMatch(/… \[trimmed \d+ characters\]/);
  });

  it("loses its longest strings first", () => {
    const event = { ...base, message: "y".repeat(20_000), attributes: { long: "x".repeat(600_000) } };
    const trimmed: TelemetryEvent = JSON.parse(encodeEvent(event));
    expect(trimmed.message).toBe(event.message);
    expect(String(trimmed.attributes?.long).length).toBeLessThan(limits.eventBytesMax);
  });

  it("keeps every name of the environment's variables, or none", () => {
    const names = Array.from({ length: limits.environmentVariablesMax }, (_, index) =>
      `${index}`.padEnd(limits.environmentVariableLengthMax, "V"),
    );
    const event = { ...base, environment_variables: names, attributes: { long: "x".repeat(600_000) } };
    expect(JSON.parse(encodeEvent(event)).environment_variables).toEqual(names);
    const bare: TelemetryEvent = JSON.parse(encodeEvent(event, sdkLimits.eventBytesMin));
    expect([bare.environment_variables, bare.attributes?.["whence.trimmed"]]).toEqual([
      undefined,
      expect.arrayContaining(["environment variables"]),
    ]);
  });

  it("fits and stays valid, whatever its content", () => {
    const frames = Array.from({ length: 100 }, (_, line) => ({ file: "f".repeat(500), line, in_app: true }));
    const size = fc.nat(40_000);
    const text = fc
      .tuple(fc.constantFrom("a", "é", "漢", '"', "\n", "😀"), size)
      .map(([unit, count]) => unit.repeat(count));
    const exception = fc.record({ type: fc.constant("E"), message: text, stack: text, frames: fc.constant(frames) });
    const crumb = fc.record({ timestamp: fc.constant(base.timestamp), category: fc.constant("c"), message: text });
    const events = fc.record({
      exceptions: fc.array(exception, { maxLength: 20 }),
      breadcrumbs: fc.array(crumb, { maxLength: 100 }),
    });
    fc.assert(
      fc.property(events, (parts) => {
        const json = encodeEvent({ ...base, ...parts });
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(limits.eventBytesMax);
        expect(eventSchema.safeParse(JSON.parse(json)).success).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("fits any size down to the minimum, and stays valid", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 20_000 }),
      fc.constantFrom("\u0001", "😀", "漢").map((unit) => unit.repeat(9_000)),
    );
    const record = fc.dictionary(fc.string({ maxLength: 40 }), text, { maxKeys: 50 });
    const exception = fc.record({ type: text, message: text, stack: text, properties: record });
    const parts = fc.record({
      message: text,
      mechanism: fc.record({ type: text, handled: fc.boolean() }),
      exceptions: fc.array(exception, { maxLength: 20 }),
      attributes: record,
      request: fc.record({ method: text, path: text, headers: record }),
      trace: fc.record({ trace_id: text, span_id: text }),
    });
    fc.assert(
      fc.property(parts, fc.integer({ min: sdkLimits.eventBytesMin, max: 100_000 }), (event, bytesMax) => {
        const trimmed = trimJson(JSON.stringify({ ...base, ...event }), bytesMax);
        expect(Buffer.byteLength(trimmed)).toBeLessThanOrEqual(bytesMax);
        expect(JSON.parse(trimmed)).toMatchObject({ id: base.id, seq: base.seq, type: base.type });
      }),
      { numRuns: 40 },
    );
  });

  it("lists what it lost when no string is long", () => {
    const attributes = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, index]));
    const trimmed: TelemetryEvent = JSON.parse(encodeEvent({ ...base, attributes }, 10_000));
    expect(trimmed.attributes).toEqual({ "whence.trimmed": ["attributes"] });
  });

  it("loses the source of its frames before the frames themselves", () => {
    const lines = Array.from({ length: 400 }, (_, index) => `  step(${index}, "of many that are done");`);
    const frames = [{ file: "/a.js", line: 7, in_app: true, context: { start_line: 1, lines } }];
    const event = { ...base, exceptions: [{ type: "E", message: "m", stack: "", frames }] };
    expect(JSON.parse(encodeEvent(event, 8_192))).toMatchObject({
      exceptions: [{ frames: [{ file: "/a.js", line: 7, in_app: true }] }],
      attributes: { "whence.trimmed": ["source"] },
    });
  });

  it("is serialized the same whether or not it shares lists with other events", () => {
    const frames = [{ file: "/a.js", line: 1, in_app: true }];
    const breadcrumbs = [{ timestamp: base.timestamp, category: "c" }];
    const event = {
      ...base,
      exceptions: [
        { type: "E", message: "m", stack: "", frames },
        { type: "F", message: "", stack: "" },
      ],
    };
    const once = encodeEvent({ ...event, breadcrumbs });
    Object.freeze(frames);
    Object.freeze(breadcrumbs);
    for (let time = 0; time < 2; time++)
      expect(JSON.parse(encodeEvent({ ...event, breadcrumbs }))).toEqual(JSON.parse(once));
    expect(JSON.parse(once)).toEqual({ ...event, breadcrumbs });
  });
});
