import { eventSchema, type TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeEvent } from "../src/trim.ts";

const base: TelemetryEvent = {
  id: "01234567-89ab-7000-8000-000000000000",
  seq: 1,
  type: "exception",
  timestamp: "2026-11-21T09:30:03.871Z",
  level: "error",
  message: "x",
  mechanism: { type: "test", handled: true },
};

describe("an event on the wire", () => {
  it("is left as it is up to the limit, and trimmed one byte beyond it", () => {
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

  it("fits and stays valid whatever it is made of", () => {
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
});
