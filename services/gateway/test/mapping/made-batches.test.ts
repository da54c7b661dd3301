import { batchSchema, type SentryProject } from "@whence/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MinuteReadings } from "../../src/otlp/minute-readings.ts";
import { PointAllowance } from "../../src/otlp/point-allowance.ts";
import { logRequest, metricRequest, readRequest, traceRequest } from "../../src/otlp/requests.ts";
import { SpanAllowance } from "../../src/otlp/span-allowance.ts";
import { takeMetrics } from "../../src/otlp/take-metrics.ts";
import { takeLogs, takeTraces } from "../../src/otlp/take-request.ts";
import { Turns } from "../../src/plugins/turns.ts";
import { parseEnvelope } from "../../src/sentry/envelope-reader.ts";
import { ReleaseAllowance } from "../../src/sentry/release-allowance.ts";
import { takeEnvelope } from "../../src/sentry/take-envelope.ts";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";

const frame = { scopeId: "s", receivedAt: "2026-03-01T12:00:00.000Z", retentionDays: null, userKey: null };

/** Texts that don't fit: too long, of many units a character, unpaired surrogates, nothing but spaces, empty. */
const awkward = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc
    .tuple(fc.constantFrom("x", "é", "😀", "\ud800", " ", "\u0000", '"', "\n"), fc.nat(20_000))
    .map(([text, times]) => text.repeat(times)),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-1, 2 ** 53, 1e300));
const anything = fc.oneof(awkward, number, fc.boolean(), fc.constant(null), fc.array(awkward, { maxLength: 2 }));

let batches = 0;
beforeEach(() => {
  batches = 0;
});
afterEach(() => expect(batches).toBeGreaterThan(10));

/** Expects that batches of messages are as the schema has them, unchanged; what is beside their events isn't in it. */
function expectValid(messages: readonly { readonly body: string }[]): void {
  batches += messages.length;
  for (const { body } of messages) {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    const { spans: _spans, readings: _readings, measures: _measures, sessions, ...made } = read.batch;
    // Sessions are of no process.
    const batch = sessions === undefined ? made : { ...made, instance: `${made.instance}none` };
    expect(batchSchema.parse(batch)).toEqual(batch);
  }
}

describe("batches of OpenTelemetry", () => {
  const names = [
    ...["service.name", "service.version", "service.instance.id", "deployment.environment.name", "host.name"],
    ...["process.pid", "process.runtime.version", "os.type", "host.arch", "telemetry.sdk.name"],
    ...["telemetry.sdk.language", "telemetry.sdk.version", "k8s.pod.name", "k8s.deployment.name", "container.id"],
    ...["exception.type", "exception.message", "exception.stacktrace", "http.request.method", "url.path", "http.route"],
    ...["http.request.header.x", "user.id", "server.address", "error.type", "messaging.destination.name", "group"],
  ] as const;
  const value = fc.oneof(
    awkward.map((stringValue) => ({ stringValue })),
    fc.maxSafeInteger().map((intValue) => ({ intValue: String(intValue) })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((doubleValue) => ({ doubleValue })),
    fc.array(awkward, { maxLength: 2 }).map((texts) => ({
      arrayValue: { values: texts.map((stringValue) => ({ stringValue })) },
    })),
  );
  const attributes = fc.array(fc.record({ key: fc.oneof(fc.constantFrom(...names), awkward), value }), {
    maxLength: 12,
  });
  const nanos = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
  const resource = fc.record({ attributes });
  const written = (request: object): Buffer => Buffer.from(JSON.stringify(request));

  it("fit the schema, whatever spans have", () => {
    const exception = fc.record({ timeUnixNano: nanos, name: fc.constant("exception"), attributes });
    const span = fc.record({
      ...{ traceId: fc.constant("1".repeat(32)), spanId: fc.constant("2".repeat(16)), name: awkward },
      ...{ kind: fc.nat(5), startTimeUnixNano: nanos, endTimeUnixNano: nanos, attributes },
      ...{ events: fc.array(exception, { maxLength: 2 }), status: fc.record({ code: fc.nat(2), message: awkward }) },
    });
    fc.assert(
      fc.property(resource, fc.array(span, { maxLength: 3 }), awkward, (of, spans, name) => {
        const body = written({ resourceSpans: [{ resource: of, scopeSpans: [{ scope: { name }, spans }] }] });
        expectValid(
          takeTraces(readRequest(traceRequest, body, "json"), frame, {
            takes: () => true,
            hasRoomForSample: () => true,
          }).messages,
        );
      }),
    );
  });

  it("fit the schema, whatever log records have", () => {
    const record = fc.record({
      ...{ timeUnixNano: nanos, severityNumber: fc.nat(24), severityText: awkward, body: value, attributes },
      ...{ traceId: fc.constantFrom("1".repeat(32), ""), spanId: fc.constantFrom("2".repeat(16), "") },
    });
    fc.assert(
      fc.property(resource, fc.array(record, { maxLength: 3 }), (of, logRecords) => {
        const body = written({ resourceLogs: [{ resource: of, scopeLogs: [{ logRecords }] }] });
        expectValid(takeLogs(readRequest(logRequest, body, "json"), frame).messages);
      }),
    );
  });

  it("fit the schema, whatever metrics have", () => {
    const name = fc.constantFrom("kafka.consumer_group.lag", "process.memory.usage", "k8s.container.restarts");
    const point = fc.record({ timeUnixNano: nanos, asInt: fc.maxSafeInteger().map(String), attributes });
    const metric = fc.record({ name, gauge: fc.record({ dataPoints: fc.array(point, { maxLength: 3 }) }) });
    const allowances = { readings: new MinuteReadings(() => 0), points: new PointAllowance(() => 0) };
    fc.assert(
      fc.property(resource, fc.array(metric, { maxLength: 3 }), (of, metrics) => {
        const body = written({ resourceMetrics: [{ resource: of, scopeMetrics: [{ metrics }] }] });
        expectValid(takeMetrics(readRequest(metricRequest, body, "json"), frame, allowances).messages);
      }),
    );
  });
});

describe("batches of Sentry's clients", () => {
  const object = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
    fc.record({ ...fields, other: anything }, { requiredKeys: [] });
  const frames = fc.array(
    object({
      filename: anything,
      function: anything,
      lineno: number,
      colno: number,
      context_line: anything,
      vars: fc.jsonValue(),
    }),
    { maxLength: 3 },
  );
  const contexts = object({
    runtime: object({ name: anything, version: anything }),
    os: object({ name: anything }),
    device: object({ arch: anything }),
    app: object({ app_start_time: anything }),
    trace: object({ trace_id: anything, span_id: anything, op: anything, status: anything }),
  });
  const event = object({
    ...{ event_id: anything, release: anything, environment: anything, server_name: anything, platform: anything },
    ...{ timestamp: anything, start_timestamp: anything, level: anything, message: anything, transaction: anything },
    ...{ sdk: object({ name: anything, version: anything }), contexts, user: fc.jsonValue(), tags: fc.jsonValue() },
    exception: object({
      values: fc.array(object({ type: anything, value: anything, stacktrace: object({ frames }) }), { maxLength: 2 }),
    }),
    request: object({ url: anything, method: anything, headers: fc.jsonValue() }),
  });
  const session = object({
    ...{ sid: anything, started: anything, status: anything },
    attrs: object({ release: anything, environment: anything }),
  });
  const report = object({
    timestamp: anything,
    discarded_events: fc.array(
      fc.record({ reason: awkward, category: fc.constant("error"), quantity: fc.oneof(number, fc.nat()) }),
    ),
  });
  const item = fc.oneof(
    fc.tuple(fc.constantFrom("event", "transaction"), event),
    fc.tuple(fc.constant("session"), session),
    fc.tuple(fc.constant("client_report"), report),
  );

  it("fit the schema, whatever their items have", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 3 }), awkward, async (items, service) => {
        const project: SentryProject = {
          id: "4711",
          service: service === "" ? "shop" : service,
          env: "PROD",
          origins: [],
        };
        const lines = items.flatMap(([type, value]) => {
          const text = JSON.stringify(value);
          return [JSON.stringify({ type, length: Buffer.byteLength(text) }), text];
        });
        const clock = (): number => 0;
        const { messages } = await takeEnvelope(parseEnvelope(Buffer.from(["{}", ...lines].join("\n"))), {
          ...{ project, frame, turns: new Turns(), allowance: new SpanAllowance(clock) },
          releases: new ReleaseAllowance(clock),
        });
        expectValid(messages);
      }),
    );
  });
});
