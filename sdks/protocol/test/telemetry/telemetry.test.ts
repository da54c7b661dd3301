import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levels } from "../../src/level.ts";
import { limits } from "../../src/limits.ts";
import {
  type Batch,
  batchEnvelopeSchema,
  batchSchema,
  droppedSchema,
  eventSchema,
  eventTypes,
  httpBreadcrumbDataSchema,
  type TelemetryEvent,
} from "../../src/telemetry/telemetry.ts";

const event: TelemetryEvent = {
  id: "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01",
  seq: 1,
  type: "exception",
  timestamp: "2026-03-01T12:00:00.000Z",
  level: "error",
  message: "it broke",
  mechanism: { type: "uncaughtException", handled: false },
};
const exception = { type: "Error", message: "it broke", stack: "" };
const breadcrumb = { timestamp: "2026-03-01T12:00:00Z", category: "http" };
const request = { method: "GET", path: "/", headers: {} };
const batch: Batch = {
  sdk: { name: "test", version: "0" },
  service: "orders",
  env: "PROD",
  host: { name: "h", pid: 0, runtime: { name: "node", version: "24" }, os: "linux", arch: "x64" },
  sent_at: "2026-03-01T12:00:00Z",
  instance: "i",
  events: [],
};

const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const text = (length: number) => "x".repeat(length);

describe("an event", () => {
  const { textLengthMax, contextLinesMax, messageLengthMax, stackLengthMax, breadcrumbsMax, exceptionsMax, framesMax } =
    limits;
  it.each<[string, number, (count: number) => object]>([
    ["characters of message", messageLengthMax, (count) => ({ message: text(count) })],
    ["characters of mechanism", textLengthMax, (count) => ({ mechanism: { type: text(count), handled: true } })],
    [
      "redactions",
      limits.redactionsMax,
      (count) => ({ redactions: many(count, { rule: "default-name", path: "/x" }) }),
    ],
    ["breadcrumbs", breadcrumbsMax, (count) => ({ breadcrumbs: many(count, breadcrumb) })],
    ["exceptions", exceptionsMax, (count) => ({ exceptions: many(count, exception) })],
    ["frames", framesMax, (count) => ({ exceptions: [{ ...exception, frames: many(count, {}) }] })],
    ["characters of stack", stackLengthMax, (count) => ({ exceptions: [{ ...exception, stack: text(count) }] })],
    [
      "characters of an exception's message",
      messageLengthMax,
      (count) => ({ exceptions: [{ ...exception, message: text(count) }] }),
    ],
    [
      "characters of an exception's type",
      textLengthMax,
      (count) => ({ exceptions: [{ ...exception, type: text(count) }] }),
    ],
    [
      "lines around a frame",
      contextLinesMax,
      (count) => ({ exceptions: [{ ...exception, frames: [{ context: { start_line: 1, lines: many(count, "") } }] }] }),
    ],
    ["characters of a path", textLengthMax, (count) => ({ request: { ...request, path: text(count) } })],
    ["characters of a trace id", textLengthMax, (count) => ({ trace: { trace_id: text(count), span_id: "" } })],
  ])("may have as many %s as the limit, %d, and not one more", (_what, bound, changed) => {
    expect(eventSchema.safeParse({ ...event, ...changed(bound) }).success).toBe(true);
    expect(eventSchema.safeParse({ ...event, ...changed(bound + 1) }).success).toBe(false);
  });

  it.each<[string, object]>([
    ["seq 0", { seq: 0 }],
    ["a fractional seq", { seq: 1.5 }],
    ["a seq beyond the safe integers", { seq: 2 ** 53 }],
    ["an id that is no UUID", { id: "1" }],
    ["an unknown type", { type: "metric" }],
    ["an unknown level", { level: "fatal" }],
    ["a level in another case", { level: "ERROR" }],
    ["a time without a zone", { timestamp: "2026-03-01T12:00:00" }],
    ["no mechanism", { mechanism: undefined }],
    ["handled that is no boolean", { mechanism: { type: "x", handled: "no" } }],
    ["a line before the first", { exceptions: [{ ...exception, frames: [{ line: -1 }] }] }],
    ["context from line 0", { exceptions: [{ ...exception, frames: [{ context: { start_line: 0, lines: [] } }] }] }],
    ...[{ start_line: 0, end_line: 2 }, { start_line: 1.5, end_line: 2 }, { start_line: 1 }].map(
      (range): [string, object] => [
        `a function at ${JSON.stringify(range)}`,
        { exceptions: [{ ...exception, frames: [{ context: { start_line: 1, lines: [], function: range } }] }] },
      ],
    ),
    ["a parent before the first", { exceptions: [{ ...exception, parent: -1 }] }],
    ["a header that is a number", { request: { ...request, headers: { a: 1 } } }],
    ["exceptions that are null", { exceptions: null }],
    ["attributes that are a list", { attributes: [] }],
  ])("isn't valid with %s", (_what, changes) => {
    expect(eventSchema.safeParse({ ...event, ...changes }).success).toBe(false);
  });

  it.each(eventTypes)("may be of type %s", (type) => {
    for (const level of levels) expect(eventSchema.safeParse({ ...event, type, level }).success).toBe(true);
  });

  it("may name the function around a frame", () => {
    const context = { start_line: 1, lines: ["f() {"], function: { start_line: 1, end_line: 9 } };
    const withContext = { ...event, exceptions: [{ ...exception, frames: [{ context }] }] };
    expect(eventSchema.parse(withContext)).toEqual(withContext);
  });

  it("keeps headers with one value or several, and drops unknown fields", () => {
    const headers = { accept: "*/*", via: ["a", "b"] };
    const parsed = eventSchema.parse({ ...event, request: { ...request, headers }, unheard_of: 1 });
    expect(parsed).toEqual({ ...event, request: { ...request, headers } });
  });

  it("keeps attributes unchanged, whatever they are", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => name !== "__proto__"),
          fc.jsonValue(),
        ),
        (attributes) => {
          expect(eventSchema.parse({ ...event, attributes }).attributes).toEqual(attributes);
        },
      ),
    );
  });

  it("accepts no prototype from the wire", () => {
    const hostile: unknown = JSON.parse(
      JSON.stringify(event).replace("{", '{"attributes":{"__proto__":{"admin":true}},'),
    );
    const { attributes } = eventSchema.parse(hostile);
    expect(Reflect.get(attributes ?? {}, "admin")).toBeUndefined();
    expect(Reflect.get({}, "admin")).toBeUndefined();
  });
});

describe("an outgoing request's data", () => {
  it.each([
    [{ method: "GET", url: "http://a/" }, true],
    [{ method: "GET", url: "http://a/", status_code: 200, duration_ms: 0.5 }, true],
    [{ method: "GET", url: "http://a/", error: "refused", error_code: "ECONNREFUSED" }, true],
    [{ method: "GET" }, false],
    [{ method: "GET", url: "http://a/", duration_ms: -1 }, false],
    [{ method: "GET", url: "http://a/", status_code: 200.5 }, false],
  ])("%j is valid: %s", (data, isValid) => {
    expect(httpBreadcrumbDataSchema.safeParse(data).success).toBe(isValid);
  });
});

describe("a range of dropped events", () => {
  it.each([
    [{ from_seq: 1, to_seq: 1 }, true],
    [{ from_seq: 1, to_seq: 9 }, true],
    [{ from_seq: 0, to_seq: 1 }, false],
    [{ from_seq: 2, to_seq: 1 }, false],
  ])("%j is valid: %s", (range, isValid) => {
    expect(droppedSchema.safeParse({ ...range, reason: "closed" }).success).toBe(isValid);
  });
});

describe("a batch", () => {
  it.each<[string, number, (count: number) => object]>([
    ["events", limits.batchEventsMax, (count) => ({ events: many(count, event) })],
    [
      "losses",
      limits.droppedRangesMax,
      (count) => ({ dropped: many(count, { from_seq: 1, to_seq: 1, reason: "closed" }) }),
    ],
    ["characters of service", limits.serviceLengthMax, (count) => ({ service: text(count) })],
    ["characters of env", limits.serviceLengthMax, (count) => ({ env: text(count) })],
    ["characters of instance", limits.serviceLengthMax, (count) => ({ instance: text(count) })],
    ["characters of release", limits.textLengthMax, (count) => ({ release: text(count) })],
  ])("may have as many %s as the limit, %d, and not one more", (_what, bound, changed) => {
    for (const schema of [batchSchema, batchEnvelopeSchema]) {
      expect(schema.safeParse({ ...batch, ...changed(bound) }).success).toBe(true);
      expect(schema.safeParse({ ...batch, ...changed(bound + 1) }).success).toBe(false);
    }
  });

  it.each(["service", "env", "instance"])("is rejected with an empty %s", (field) => {
    expect(batchSchema.safeParse({ ...batch, [field]: "" }).success).toBe(false);
    expect(batchSchema.safeParse({ ...batch, [field]: "x" }).success).toBe(true);
  });

  it("has the service `default` and the env `PROD` when they are missing", () => {
    const { service: _service, env: _env, ...bare } = batch;
    expect(batchSchema.parse(bare)).toMatchObject({ service: "default", env: "PROD" });
  });

  it("is validated without its events first", () => {
    expect(batchEnvelopeSchema.safeParse({ ...batch, events: [1, null, {}] }).success).toBe(true);
    expect(batchSchema.safeParse({ ...batch, events: [1] }).success).toBe(false);
  });
});
