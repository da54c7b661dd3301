import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { logRequest, metricRequest, readRequest, traceRequest } from "../../src/otlp/requests.ts";
import { takeMetrics } from "../../src/otlp/take-metrics.ts";
import { type TakenRequest, takeLogs, takeTraces } from "../../src/otlp/take-request.ts";
import { spanEvents } from "../../src/otlp/to-events.ts";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { validateBatch } from "../../src/telemetry/validate.ts";
import { binaryTraces, jsonLogs, jsonTraces } from "./spans.ts";

const frame = { scopeId: "s", receivedAt: "2026-03-01T12:00:00.000Z", retentionDays: null, userKey: null };
/** Every span may be kept. */
const all = { takes: () => true, hasRoomForSample: () => true };
const resource = { "service.name": "orders", "telemetry.sdk.language": "python" };

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const texts = fc.dictionary(
  fc.oneof(
    fc.constantFrom("exception.type", "exception.message", "exception.stacktrace", "http.method", "http.target"),
    fc.string(),
  ),
  fc.string({ unit: "binary" }),
  { maxKeys: 5 },
);
const span = fc.record({
  traceId: fc.oneof(hex(32), hex(30), fc.constant("")),
  spanId: fc.oneof(hex(16), hex(2)),
  parentSpanId: hex(16),
  name: fc.string(),
  kind: fc.integer({ min: 0, max: 6 }),
  startMs: fc.integer({ min: 0, max: 9e12 }),
  endMs: fc.integer({ min: 0, max: 9e12 }),
  attributes: texts,
  exceptions: fc.array(texts, { maxLength: 3 }),
  status: fc.integer({ min: 0, max: 3 }),
});

function fromJson(spans: Parameters<typeof jsonTraces>[1], of: Record<string, string> = resource): TakenRequest {
  return takeTraces(readRequest(traceRequest, Buffer.from(jsonTraces(of, spans)), "json"), frame, all);
}

function batchesOf({ messages }: TakenRequest) {
  return messages.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read.batch;
  });
}

describe("a span that would be kept only as one of the sample", () => {
  const ids = { traceId: `${"f".repeat(24)}00000001`, spanId: "1".repeat(16), name: "GET", kind: 3 };
  /** Returns the items of one such span and one that failed, and which of them were read. */
  const taken = (hasRoom: boolean) => {
    const allowance = {
      takes: (_: string, isSample: boolean) => hasRoom || !isSample,
      hasRoomForSample: () => hasRoom,
    };
    const spans = [ids, { ...ids, spanId: "2".repeat(16), status: 2 }];
    const request = readRequest(traceRequest, binaryTraces(resource, spans), "protobuf");
    const received = request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const reads = received.map((one) => vi.spyOn(one, "read"));
    const { items } = takeTraces(request, frame, allowance);
    return { items, reads: reads.map((read) => read.mock.calls.length) };
  };

  it("is kept while there is room, and then counted without being read", () => {
    expect(taken(true)).toEqual({ items: { stored: 2, counted: 0, rejected: 0 }, reads: [1, 1] });
    expect(taken(false)).toEqual({ items: { stored: 1, counted: 1, rejected: 0 }, reads: [0, 1] });
  });
});

describe("any spans", () => {
  it("are each stored, counted, or rejected, and their events are valid", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), texts, (spans, of) => {
        const taken = fromJson(spans, of);
        const { stored, counted, rejected } = taken.items;
        expect(stored + counted + rejected).toBe(spans.length);
        expect(taken.reason === "").toBe(rejected === 0);
        const batches = batchesOf(taken);
        expect(batches.flatMap((batch) => validateBatch(batch, null).rejected)).toEqual([]);
        expect(batches.reduce((sum, { events }) => sum + events.length, 0)).toBe(taken.events);
      }),
    );
  });

  it("are taken in protobuf as in JSON", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 5 }), (spans) => {
        // Protobuf has no lone surrogates.
        fc.pre(JSON.stringify(spans).isWellFormed() && !JSON.stringify(spans).includes("\\ud"));
        expect(takeTraces(readRequest(traceRequest, binaryTraces(resource, spans), "protobuf"), frame, all)).toEqual(
          fromJson(spans),
        );
      }),
    );
  });
});

describe("any log records", () => {
  it("are each stored or counted", () => {
    const record = fc.record(
      {
        severityNumber: fc.integer({ min: 0, max: 30 }),
        severityText: fc.constantFrom("", "ERROR", "warn", "info", "FATAL"),
        body: fc.string(),
        attributes: texts,
        traceId: hex(32),
        spanId: hex(16),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), (records) => {
        const taken = takeLogs(readRequest(logRequest, Buffer.from(jsonLogs(resource, records)), "json"), frame);
        const { stored, counted } = taken.items;
        expect(stored + counted).toBe(records.length);
        expect(batchesOf(taken).flatMap((batch) => validateBatch(batch, null).rejected)).toEqual([]);
      }),
    );
  });
});

const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "checkout" };
const thrown = { "exception.type": "KeyError", "exception.message": "'lines'" };

describe("an error of a span", () => {
  it("is kept once, with its longest stack, when spans around it record it, too", () => {
    const inner = "Traceback (most recent call last):\n  File \"/srv/total.py\", line 3, in total\nKeyError: 'lines'";
    const outer = inner.replace("\n  File", '\n  File "/srv/app.py", line 9, in serve\n  File');
    const spans = [inner, outer].map((stack, index) => ({
      ...{ ...ids, spanId: `${index + 2}`.repeat(16), exceptions: [{ ...thrown, "exception.stacktrace": stack }] },
    }));
    const [batch] = batchesOf(fromJson(spans));
    expect(batch?.events.map(({ exceptions }) => exceptions?.[0]?.stack)).toEqual([outer]);
  });

  it("has the span's request, if it was sent with the span", () => {
    const server = {
      ...{ ...ids, kind: 2 },
      attributes: { "http.method": "post", "http.target": "/pay?card=4", "http.host": "pay:8080" },
    };
    const inner = { ...ids, spanId: "3".repeat(16), parentSpanId: ids.spanId, exceptions: [thrown] };
    const [batch] = batchesOf(fromJson([inner, server]));
    expect(batch?.events[0]?.request).toEqual({ method: "POST", path: "/pay", headers: { host: "pay:8080" } });
    const [alone] = batchesOf(fromJson([inner]));
    expect(alone?.events[0]?.request).toBeUndefined();
  });

  it("isn't a failure when the program reports that the span succeeded", () => {
    const [batch] = batchesOf(fromJson([{ ...ids, status: 1, exceptions: [thrown] }]));
    expect(batch?.events[0]?.level).toBe("warning");
  });

  it("keeps no values of attributes and headers whose names are redacted", () => {
    const attributes = {
      ...{ "http.method": "GET", "http.target": "/", "http.request.header.authorization": "Bearer s3cret" },
      ...{ "db.password": "s3cret", password: "s3cret", user: "31" },
    };
    const [batch] = batchesOf(fromJson([{ ...ids, kind: 2, attributes, exceptions: [thrown] }]));
    expect(JSON.stringify(batch)).not.toContain("s3cret");
    expect(batch?.events[0]?.redactions?.map(({ path }) => path).sort()).toEqual([
      ...["/contexts/span/db.password", "/contexts/span/password", "/request/headers/authorization"],
    ]);
  });
});

describe("what an event keeps of attributes", () => {
  it("has no query strings, statements, parameters, credentials, or headers of answers", () => {
    const attributes = {
      ...{ "url.full": "https://ann:s3cret@pay:8080/cards?card=s3cret", "http.target": "/pay?card=s3cret#s3cret" },
      ...{ "url.query": "card=s3cret", "db.statement": "SELECT 's3cret'", "db.query.text": "SELECT 's3cret'" },
      ...{ "db.query.parameter.id": "s3cret", "http.response.header.set-cookie": "id=s3cret", "db.system": "mysql" },
    };
    const [batch] = batchesOf(fromJson([{ ...ids, attributes, exceptions: [thrown] }]));
    expect(JSON.stringify(batch)).not.toContain("s3cret");
    expect(batch?.events[0]?.contexts?.span).toEqual({
      ...{ name: "checkout", "url.full": "https://pay:8080/cards", "http.target": "/pay", "db.system": "mysql" },
    });
  });

  it("has the user that its attributes name, hashed, and nothing of it elsewhere", () => {
    const attributes = { "user.id": "ada", "enduser.role": "admin", "user_agent.original": "curl/8" };
    const traces = jsonTraces(resource, [{ ...ids, attributes, exceptions: [thrown] }]);
    const taken = takeTraces(readRequest(traceRequest, Buffer.from(traces), "json"), { ...frame, userKey: "key" }, all);
    const [event] = batchesOf(taken)[0]?.events ?? [];
    const hash = expect.stringMatching(/^hash:[0-9a-f]{16}$/);
    expect(event?.user).toEqual({ id: hash, role: hash });
    expect(event?.contexts?.span).toEqual({ name: "checkout", "user_agent.original": "curl/8" });
  });

  it("has no values of redacted names at any level", () => {
    const pair = (key: string, value: unknown) => ({ key, value });
    const map = (...values: unknown[]) => ({ kvlistValue: { values } });
    const card = map(pair("db.password", { stringValue: "s3cret" }), pair("holder", { stringValue: "Ann" }));
    const order = map(pair("cards", { arrayValue: { values: [card] } }));
    const record = { severityNumber: 17, body: order, attributes: [pair("order", order)] };
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    const [batch] = batchesOf(takeLogs(readRequest(logRequest, Buffer.from(body), "json"), frame));
    const [event] = batch?.events ?? [];
    expect(JSON.stringify(event)).not.toContain("s3cret");
    expect(event?.message).toBe('{"cards":[{"db.password":"[redacted]","holder":"Ann"}]}');
    expect(event?.redactions?.map(({ path }) => path)).toEqual(["/contexts/log/order/cards/0/db.password"]);
  });
});

describe("an error in a log record", () => {
  it("without a time and a trace is another one when it is received again later", () => {
    const idAt = (receivedAt: string, of: object) => {
      const records = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber: 17, ...of }] }] }] };
      const request = readRequest(logRequest, Buffer.from(JSON.stringify(records)), "json");
      return batchesOf(takeLogs(request, { ...frame, receivedAt }))[0]?.events[0]?.id;
    };
    const [first, second] = ["2026-03-01T12:00:00.000Z", "2026-03-02T12:00:00.000Z"] as const;
    expect(idAt(first, {})).not.toBe(idAt(second, {}));
    for (const at of [{ timeUnixNano: "1772366398250000000" }, { traceId: ids.traceId }]) {
      expect(idAt(first, at)).toBe(idAt(second, at));
    }
  });
});

describe("a number", () => {
  const read = (field: object) =>
    readRequest(
      traceRequest,
      Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [field] }] }] })),
      "json",
    );

  it.each(["abc", "NaN", "Infinity", "-1", "1e400", "1e30"])("that isn't a time is rejected: %s", (time) => {
    expect(() => read({ startTimeUnixNano: time })).toThrow(/a number/);
    expect(() => read({ endTimeUnixNano: time })).toThrow(/a number/);
  });

  it("fits the bits of its field", () => {
    for (const kind of [-(2 ** 31) - 1, 2 ** 32]) expect(() => read({ kind })).toThrow(/more bits/);
    expect(() => read({ startTimeUnixNano: "18446744073709551615" })).not.toThrow();
  });
});

describe("what costs much to read", () => {
  it("is the way to the request of a span, which is only looked for when the span has errors", () => {
    const { resourceSpans } = readRequest(traceRequest, Buffer.from(jsonTraces(resource, [ids])), "json");
    const owner = { scopeId: "s", service: "orders", instance: "a", receivedAt: frame.receivedAt };
    const requestOf = () => {
      throw new Error("looked for");
    };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    expect(spans.map((one) => spanEvents(one.read(), { name: "" }, { owner, requestOf }))).toEqual([[]]);
  });

  it("is limited: 5,000 errors in a request, and those beyond are rejected with the reason", () => {
    const records = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ severityNumber: 17, body: `${index}` }));
    const take = (count: number) =>
      takeLogs(readRequest(logRequest, Buffer.from(jsonLogs(resource, records(count))), "json"), frame);
    expect(take(5_000)).toMatchObject({ events: 5_000, items: { stored: 5_000, rejected: 0 }, reason: "" });
    const reason = "the request has more than 5000 errors";
    expect(take(5_001)).toMatchObject({ events: 5_000, items: { stored: 5_000, rejected: 1 }, reason });
  });

  const error = { ...thrown, "exception.message": "no order" };

  it("is limited: the last 20 errors of a span, and 2,048 resources", () => {
    const exceptions = Array.from({ length: 21 }, (_, index) => ({ ...error, "exception.message": `${index}` }));
    const [batch] = batchesOf(fromJson([{ ...ids, exceptions }]));
    expect(batch?.events.map(({ message }) => message)).toEqual(
      exceptions.slice(1).map((one) => one["exception.message"]),
    );
    const reason = "the request has more than 2048 resources";
    const traces = (count: number) => `{"resourceSpans":[${Array(count).fill('{"scopeSpans":[{"spans":[{}]}]}')}]}`;
    const logs = (count: number) => `{"resourceLogs":[${Array(count).fill('{"scopeLogs":[{"logRecords":[{}]}]}')}]}`;
    const point = '{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[{}]}}]}]}';
    const points = (count: number) => `{"resourceMetrics":[${Array(count).fill(point)}]}`;
    const taken = (count: number) => [
      takeLogs(readRequest(logRequest, Buffer.from(logs(count)), "json"), frame),
      takeMetrics(readRequest(metricRequest, Buffer.from(points(count)), "json"), frame, {
        ...{ readings: { keep: () => undefined }, points: all },
      }),
    ];
    for (const one of taken(2_048)) expect(one).toMatchObject({ items: { counted: 2_048, rejected: 0 }, reason: "" });
    for (const one of taken(2_049)) expect(one).toMatchObject({ items: { counted: 2_048, rejected: 1 }, reason });
    const spans = takeTraces(readRequest(traceRequest, Buffer.from(traces(2_050)), "json"), frame, all);
    expect(spans.items.rejected).toBe(2_050);
  });

  it("is limited: readings of an organization, and the surplus is rejected with the reason", () => {
    const dataPoints = [{ timeUnixNano: "1772366398250000000", asInt: "7" }];
    const metrics = [
      { name: "process.memory.usage", gauge: { dataPoints } },
      { name: "other", sum: { dataPoints } },
    ];
    const body = Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
    const surplus = { readings: { keep: () => "surplus" as const }, points: all };
    expect(takeMetrics(readRequest(metricRequest, body, "json"), frame, surplus)).toMatchObject({
      ...{ messages: [], items: { stored: 0, counted: 1, rejected: 1 } },
      reason: "the organization has more than 2000 processes",
    });
  });

  it("is a chain of parents: 50 are followed to the request", () => {
    const spanId = (index: number) => index.toString(16).padStart(16, "a");
    const chain = (length: number) =>
      Array.from({ length }, (_, index) => ({
        ...{ ...ids, spanId: spanId(index), parentSpanId: spanId(index + 1), kind: index === length - 1 ? 2 : 1 },
        attributes: { "http.method": "GET", "http.target": "/" },
        exceptions: index === 0 ? [error] : [],
      }));
    const requestOf = (length: number) => batchesOf(fromJson(chain(length)))[0]?.events[0]?.request?.path;
    expect([requestOf(51), requestOf(52)]).toEqual(["/", undefined]);
  });
});

describe("a resource", () => {
  const eventOf = (of: Record<string, string>) => batchesOf(fromJson([{ ...ids, exceptions: [thrown] }], of))[0];

  it.each([
    [{}, "PROD"],
    [{ "deployment.environment.name": "production" }, "PROD"],
    [{ "deployment.environment": "staging" }, "staging"],
    [{ "deployment.environment.name": "prod", "deployment.environment": "staging" }, "PROD"],
  ])("with %j is in the environment %s", (of, env) => {
    expect(eventOf(of)?.env).toBe(env);
  });

  it("names service, release, host, and process", () => {
    const of = {
      ...{ "service.name": "pay", "vcs.ref.head.revision": "4f1c", "host.name": "web-3", "process.pid": "4172" },
      ...{ "service.instance.id": "b7f0", "telemetry.sdk.language": "nodejs", "process.runtime.version": "24.1.0" },
    };
    expect(eventOf(of)).toMatchObject({
      ...{ service: "pay", release: "4f1c", instance: "b7f0" },
      host: { name: "web-3", pid: 4172, runtime: { name: "node", version: "24.1.0" } },
    });
    expect(eventOf({ ...of, "service.version": "1.4.2" })?.release).toBe("1.4.2");
    expect(eventOf({})?.service).toBe("unknown_service");
  });
});
