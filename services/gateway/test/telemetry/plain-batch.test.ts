import { batchSchema, droppedSchema, eventSchema, eventTypes, levels } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileSchema } from "../../src/telemetry/compiled-schema.ts";
import { isPlainBatch, isPlainEvent } from "../../src/telemetry/plain-batch.ts";
import { isRedacted, redactEvent } from "../../src/telemetry/redact.ts";
import { batchOf, logEvent } from "../batches.ts";

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const timestamp = fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
const fields = fc.dictionary(fc.oneof(text, fc.constantFrom("token", "headers", "requestHeaders")), fc.jsonValue(), {
  maxKeys: 4,
});
const lineNumber = fc.integer({ min: 1 });
const context = fc.record(
  {
    start_line: lineNumber,
    lines: fc.array(text),
    function: fc.record({ start_line: lineNumber, end_line: lineNumber }),
  },
  { requiredKeys: ["start_line", "lines"] },
);
const frame = fc.record(
  {
    file: text,
    function: text,
    line: fc.nat(),
    column: fc.nat(),
    in_app: fc.boolean(),
    context,
    vars: fields,
  },
  { requiredKeys: [] },
);
const exception = fc.record(
  {
    type: text,
    message: text,
    stack: text,
    module: text,
    properties: fields,
    parent: fc.nat(),
    frames: fc.array(frame, { maxLength: 3 }),
  },
  { requiredKeys: ["type", "message", "stack"] },
);
const breadcrumb = fc.record(
  { timestamp, category: text, level: fc.constantFrom(...levels), message: text, data: fields },
  { requiredKeys: ["timestamp", "category"] },
);
const request = fc.record(
  { method: text, path: text, route: text, headers: fc.dictionary(text, fc.oneof(text, fc.array(text))) },
  { requiredKeys: ["method", "path", "headers"] },
);
const event = fc.record(
  {
    id: fc.uuid(),
    seq: fc.integer({ min: 1 }),
    type: fc.constantFrom(...eventTypes),
    timestamp,
    level: fc.constantFrom(...levels),
    message: text,
    mechanism: fc.record({ type: text, handled: fc.boolean() }),
    exceptions: fc.array(exception, { maxLength: 3 }),
    breadcrumbs: fc.array(breadcrumb, { maxLength: 3 }),
    request,
    trace: fc.record({ trace_id: text, span_id: text }),
    attributes: fields,
    user: fields,
    tags: fc.dictionary(text, text, { maxKeys: 3 }),
    contexts: fc.dictionary(fc.oneof(text, fc.constant("headers")), fields, { maxKeys: 3 }),
  },
  { requiredKeys: ["id", "seq", "type", "timestamp", "level", "message", "mechanism"] },
);
const seq = fc.integer({ min: 1, max: 9 });
const dropped = fc.record({ from_seq: seq, to_seq: seq, reason: fc.constantFrom("closed", "too_large") });
const batch = fc
  .record({ events: fc.array(event, { maxLength: 3 }), dropped: fc.array(dropped, { maxLength: 2 }) })
  .map(({ events, dropped }) => ({ ...batchOf(events), dropped }));

/** Values around the limits of the schema, and of every kind. */
const otherValue = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(0, -0, 1, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, true, null, ""),
  fc.constantFrom("s".repeat(200), "s".repeat(201), "💥".repeat(200), "💥".repeat(201), "s".repeat(8_192)),
  fc.constantFrom("s".repeat(8_193), "\ud800", "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2026-01-01T00:00:00"),
  fc.constantFrom("2026-01-01T00:00:00.123456789+23:59", "2026-01-01T00:00:00Z\n", "2026-01-01t00:00:00z"),
  fc.constantFrom("00000000-0000-0000-0000-000000000000", "019aa5c0-3f2e-0c41-9d0a-5b6f7e8d9c01", "debug", "exit"),
  fc.constant(Array.from({ length: 101 }, () => "x")),
);
const otherName = fc.constantFrom("id", "seq", "later", "constructor", "toString", "type", "frames", "x");

type Path = readonly (string | number)[];

/** Returns every path in a value. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

/** Returns a copy with the value at the path replaced, removed, or given another field. */
function changed(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, item]) => [name, name === key ? changed(item, rest, change) : item]),
  );
}

const mutated = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), fc.constantFrom("replace", "remove", "add"), otherValue, otherName)
    .map(([value, where, how, other, name]) => {
      const places = placesOf(value);
      const place = places[where % places.length] ?? [];
      return changed(value, place, (old) => {
        if (how === "remove") return undefined;
        return how === "add" && typeof old === "object" && !Array.isArray(old) ? { ...old, [name]: other } : other;
      });
    });

/** Returns a value as it arrives over the wire. */
const received = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");

/** Whether the schema accepts the value and returns it unchanged. */
function leavesAsItIs(schema: z.ZodType, value: unknown): boolean {
  const parsed = schema.safeParse(value);
  return parsed.success && JSON.stringify(sorted(parsed.data)) === JSON.stringify(sorted(value));
}

/** Sorts fields, since a schema returns them in its own order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, sorted(item)] as const);
  return entries.sort(([left], [right]) => (left < right ? -1 : 1));
}

describe("the compiled validator and the schema", () => {
  it("agree that a valid batch is valid, whatever its content", () => {
    fc.assert(
      fc.property(batch, (value) => {
        const came = received(value);
        expect(isPlainBatch(came)).toBe(leavesAsItIs(batchSchema, came));
      }),
      { numRuns: 500 },
    );
  });

  it("agree on a batch with one thing changed, removed or added", () => {
    const seen = { plain: 0, not: 0 };
    fc.assert(
      fc.property(mutated(batch), (value) => {
        const came = received(value);
        const isPlain = isPlainBatch(came);
        expect(isPlain).toBe(leavesAsItIs(batchSchema, came));
        seen[isPlain ? "plain" : "not"] += 1;
      }),
      { numRuns: 2_000 },
    );
    // Both answers must occur, or the property would prove nothing.
    expect(Math.min(seen.plain, seen.not)).toBeGreaterThan(10);
  });

  it("agree on an event with one thing changed, removed or added", () => {
    fc.assert(
      fc.property(mutated(event), (value) => {
        const came = received(value);
        expect(isPlainEvent(came)).toBe(leavesAsItIs(eventSchema, came));
      }),
      { numRuns: 2_000 },
    );
  });

  it("agree on where the function around a frame is", () => {
    const withFunction = (range: unknown) => {
      const frames = [{ context: { start_line: 1, lines: [], function: range } }];
      return { ...logEvent(), exceptions: [{ type: "E", message: "", stack: "", frames }] };
    };
    const answers: [unknown, boolean][] = [
      [{ start_line: 1, end_line: 9 }, true],
      [{ start_line: 0, end_line: 9 }, false],
      [{ start_line: 1, end_line: 1.5 }, false],
      [{ start_line: 1 }, false],
      [{ start_line: 1, end_line: 9, name: "f" }, false],
      [null, false],
    ];
    for (const [range, isPlain] of answers) {
      expect([range, isPlainEvent(withFunction(range))]).toEqual([range, isPlain]);
      expect(leavesAsItIs(eventSchema, withFunction(range))).toBe(isPlain);
    }
  });

  it("agree on a rule that JSON Schema can't express: a dropped range doesn't end before it begins", () => {
    const isDropped = compileSchema(droppedSchema);
    expect(isDropped({ from_seq: 2, to_seq: 2, reason: "closed" })).toBe(true);
    expect(isDropped({ from_seq: 2, to_seq: 1, reason: "closed" })).toBe(false);
  });

  it("agree that a field named like a prototype is changed, whatever its value", () => {
    const withHeaders = (headers: Record<string, string[]>) =>
      logEvent({ request: { method: "GET", path: "/", headers } });
    for (const fields of ['{"__proto__":[]}', '{"__proto__":1}'].map((text) => JSON.parse(text))) {
      for (const came of [withHeaders(fields), logEvent({ attributes: fields })]) {
        expect(isPlainEvent(came)).toBe(false);
        expect(leavesAsItIs(eventSchema, came)).toBe(false);
      }
    }
    expect(isPlainEvent(withHeaders({ accept: ["*/*"] }))).toBe(true);
  });

  it("can't differ unnoticed: a schema that can't be compiled stops the start", () => {
    expect(() => compileSchema(z.string().transform((value) => value.length))).toThrow();
  });
});

describe("a batch passed on as received", () => {
  it("is one that redaction wouldn't change", () => {
    fc.assert(
      fc.property(event, (value) => {
        expect(isRedacted(value, 100)).toBe(
          JSON.stringify(sorted(redactEvent(value))) === JSON.stringify(sorted(value)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("has no key that would change an object's prototype, at any depth", () => {
    for (const place of ['{"__proto__":{"a":1}}', '{"deep":[{"__proto__":1}]}', '{"\\u005f_proto__":1}']) {
      const evil = logEvent({ attributes: JSON.parse(place) });
      expect(isRedacted(evil, 100)).toBe(false);
      expect(JSON.stringify(redactEvent(evil))).not.toContain("__proto__");
    }
    const headers = JSON.parse('{"__proto__":"x","accept":"*/*"}');
    const evil = logEvent({ request: { method: "GET", path: "/", headers } });
    expect(isRedacted(evil, 100)).toBe(false);
    expect(redactEvent(evil).request?.headers).toEqual({ accept: "*/*" });
  });

  it.each(["attributes", "data", "vars", "properties"])("is nested 100 levels at most, in %s too", (name) => {
    const nested = (levels: number): unknown => (levels === 0 ? "deep" : [nested(levels - 1)]);
    const above = { attributes: 2, data: 4, vars: 6, properties: 4 }[name] ?? 0;
    const holding = (levels: number) => {
      const fields = { [name]: { nested: nested(levels - above) } };
      if (name === "attributes") return logEvent(fields);
      if (name === "data") return logEvent({ breadcrumbs: [{ timestamp: "t", category: "c", ...fields }] });
      const inner = name === "vars" ? { frames: [fields] } : fields;
      return logEvent({ exceptions: [{ type: "E", message: "", stack: "", ...inner }] });
    };
    expect(isRedacted(holding(100), 100)).toBe(true);
    expect(isRedacted(holding(101), 100)).toBe(false);
  });
});
