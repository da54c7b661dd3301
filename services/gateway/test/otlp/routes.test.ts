import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { type Delivery, type Storage, storageErrors, telemetryTopic } from "@whence/storage";
import fc from "fast-check";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { otlpLimits } from "../../src/otlp/otlp-limits.ts";
import { type BatchMessage, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { buildApp, openTestStorage, organizationWithKey } from "../test-gateway.ts";
import { binaryTraces, jsonLogs, jsonTraces, type TestSpan } from "./spans.ts";

const registry = new Registry();
let storage: Storage;
let app: FastifyInstance;
let key: string;
let organizationId: string;
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };
const rate = 400;

beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    ...{ queue: storage.queue, keys: storage.control.keys, usage: storage.control.usage, secrets: storage.control },
    ...{ clock: () => clock.now, metrics: gatewayMetrics(registry), telemetryPerMinutePerKey: rate },
  });
  ({ id: organizationId, key } = await organizationWithKey(storage, "otlp"));
});
afterAll(async () => {
  await app.close();
  await storage.close();
});
afterEach(async () => {
  await published();
});

async function published(): Promise<BatchMessage[]> {
  const deliveries: readonly Delivery[] = await storage.queue.receive(telemetryTopic, { max: 100, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read;
  });
}

type Signal = "traces" | "logs" | "metrics";

function post(
  signal: Signal,
  payload: Buffer | string,
  headers: Record<string, string> = { "x-api-key": key },
): Promise<LightMyRequestResponse> {
  const type = typeof payload === "string" ? "application/json" : "application/x-protobuf";
  return app.inject({ method: "POST", url: `/v1/${signal}`, payload, headers: { "content-type": type, ...headers } });
}

async function counted(signal: Signal): Promise<Record<string, number>> {
  const metric = registry.getSingleMetric("whence_otlp_items_total");
  const { values = [] } = (await metric?.get()) ?? {};
  return Object.fromEntries(
    values.filter(({ labels }) => labels.signal === signal).map(({ labels, value }) => [labels.outcome, value]),
  );
}

const resource = { "service.name": "orders", "service.version": "1.4.2", "telemetry.sdk.language": "nodejs" };
const exception = {
  "exception.type": "TypeError",
  "exception.message": "Cannot read properties of undefined (reading 'length')",
  "exception.stacktrace":
    "TypeError: Cannot read properties of undefined (reading 'length')\n    at totalOf (/srv/orders/total.js:3:15)",
};
const span: TestSpan = {
  ...{ traceId: "5b8efff798038103d269b633813fc60c", spanId: "eee19b7ec3c1b174", name: "GET /orders/:id", kind: 2 },
  ...{ attributes: { "http.request.method": "GET", "url.path": "/orders/31", "http.route": "/orders/:id" } },
  ...{ exceptions: [exception], status: 2 },
};

describe("a request with spans", () => {
  it("has its errors on the queue as events, once it is answered with an empty response", async () => {
    const answer = await post("traces", binaryTraces(resource, [span]));
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0]);
    expect(answer.headers["content-type"]).toBe("application/x-protobuf");
    const [message] = await published();
    expect(message).toMatchObject({
      ...{ scope_id: organizationId, received_at: "2026-03-01T12:00:00.000Z" },
      batch: {
        ...{ service: "orders", env: "PROD", release: "1.4.2", host: { runtime: { name: "node" } } },
        events: [
          {
            ...{ type: "exception", level: "error", timestamp: "2026-03-01T11:59:58.250Z" },
            exceptions: [{ type: "TypeError", stack: exception["exception.stacktrace"] }],
            request: { method: "GET", path: "/orders/31", route: "/orders/:id" },
            trace: { trace_id: span.traceId, span_id: span.spanId },
          },
        ],
      },
    });
  });

  it("is taken in JSON as in protobuf, and compressed as plain", async () => {
    const traceId = "d".repeat(32);
    const json = await post("traces", jsonTraces(resource, [{ ...span, traceId }]));
    expect([json.statusCode, json.json()]).toEqual([200, {}]);
    const [fromJson] = await published();
    const packed = await post(
      "traces",
      gzipSync(binaryTraces(resource, [{ ...span, traceId, spanId: "eee19b7ec3c1b175" }])),
      {
        ...{ "x-api-key": key, "content-encoding": "gzip" },
      },
    );
    expect(packed.statusCode).toBe(200);
    // The same error of the same trace: the queue takes it once.
    expect((await published()).flatMap(({ batch }) => batch.events)).toEqual([]);
    expect(fromJson?.batch.events).toHaveLength(1);
  });

  it("rejects spans without valid IDs, says how many and why, and takes the others", async () => {
    const spans = [
      { ...span, spanId: "00" },
      { ...span, traceId: "0".repeat(32) },
      { ...span, traceId: "a".repeat(32) },
    ];
    const json = await post("traces", jsonTraces(resource, spans));
    expect(json.json()).toEqual({
      partialSuccess: { rejectedSpans: "2", errorMessage: "a span has no valid trace ID or span ID" },
    });
    expect(await published()).toHaveLength(1);
    const binary = await post("traces", binaryTraces(resource, spans));
    const reader = new BinaryReader(binary.rawPayload);
    expect(reader.tag()).toEqual([1, 2]);
    const partial = new BinaryReader(reader.bytes());
    expect([partial.tag(), partial.int64(), partial.tag(), partial.string()]).toEqual([
      ...[[1, 0], 2n],
      ...[[2, 2], "a span has no valid trace ID or span ID"],
    ]);
  });

  it.each(["go", "java"])("of OpenTelemetry's SDK for %s, as recorded, becomes an event", async (language) => {
    const answer = await post("traces", await readFile(join(import.meta.dirname, `recorded/${language}.traces.pb`)));
    expect(answer.statusCode).toBe(200);
    const [message] = await published();
    expect(message?.batch).toMatchObject({
      ...{ service: `orders-${language}`, release: "1.4.2", host: { runtime: { name: language } } },
      events: [{ type: "exception", level: "error" }],
    });
  });
});

describe("a request with log records", () => {
  const records = [
    { severityNumber: 17, body: "the card was declined" },
    { severityNumber: 21, body: "out of file handles" },
    { severityNumber: 9, body: "served an order" },
    { severityNumber: 13, body: "slow", attributes: exception },
    { severityText: "ERROR", body: "no number" },
  ];

  it("keeps those that report failures or errors, with their level", async () => {
    const before = await counted("logs");
    expect((await post("logs", jsonLogs(resource, records))).json()).toEqual({});
    const [message] = await published();
    expect(message?.batch.events.map(({ type, level, message: text }) => [type, level, text])).toEqual([
      ["log", "error", "the card was declined"],
      ["log", "critical", "out of file handles"],
      ["exception", "warning", exception["exception.message"]],
      ["log", "error", "no number"],
    ]);
    const after = await counted("logs");
    expect([(after.stored ?? 0) - (before.stored ?? 0), (after.counted ?? 0) - (before.counted ?? 0)]).toEqual([4, 1]);
  });

  it("reports an error that a span of its trace reported, too, as the same event", async () => {
    const traceId = "b".repeat(32);
    await post("traces", jsonTraces(resource, [{ ...span, traceId }]));
    const [fromSpan] = await published();
    const record = { severityNumber: 17, body: "failed", attributes: exception, traceId, spanId: span.spanId };
    await post("logs", jsonLogs(resource, [record, { ...record, traceId: "c".repeat(32) }]));
    const [fromLog] = await published();
    const ids = fromLog?.batch.events.map(({ id }) => id) ?? [];
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(fromSpan?.batch.events[0]?.id);
    expect(ids[1]).not.toBe(ids[0]);
  });
});

describe("spans and log records of one program, as recorded", () => {
  it("report an error once, although Python's SDK writes its message otherwise on each", async () => {
    const recorded = (name: string) => readFile(join(import.meta.dirname, "recorded", name));
    await post("logs", await recorded("python.logs.pb"));
    await post("traces", await recorded("python.traces.pb"));
    const events = (await published()).flatMap(({ batch }) => batch.events);
    // The log record came first; the queue takes what has the same ID once.
    expect(events.map(({ message }) => message)).toEqual(["lines"]);
  });
});

describe("a request with metrics", () => {
  it("is accepted, and its data points are counted", async () => {
    const body = await readFile(join(import.meta.dirname, "recorded/metrics.json"), "utf8");
    expect((await post("metrics", body)).json()).toEqual({});
    expect(await counted("metrics")).toMatchObject({ counted: 4 });
    expect(await published()).toEqual([]);
  });
});

describe("a request with the metrics of a process", () => {
  it("has its state on the queue, once a minute, and counts what isn't kept", async () => {
    const metrics = (seconds: number, ...names: readonly string[]) =>
      JSON.stringify({
        resourceMetrics: [
          {
            resource: { attributes: [{ key: "service.name", value: { stringValue: "orders" } }] },
            scopeMetrics: [
              {
                metrics: names.map((name) => {
                  const timeUnixNano = `${clock.now + seconds * 1_000}000000`;
                  return { name, gauge: { dataPoints: [{ timeUnixNano, asDouble: 7e6 }] } };
                }),
              },
            ],
          },
        ],
      });
    const before = await counted("metrics");
    await post("metrics", metrics(0, "process.memory.usage", "shop.orders"));
    await post("metrics", metrics(30, "process.memory.usage"));
    const [first, ...others] = await published();
    expect(others).toEqual([]);
    expect(first?.batch).toMatchObject({
      ...{ service: "orders", events: [] },
      readings: [{ at: "2026-03-01T12:00:00.000Z", rss_bytes: 7e6 }],
    });
    const after = await counted("metrics");
    expect([after.stored, (after.counted ?? 0) - (before.counted ?? 0)]).toEqual([2, 1]);
  });
});

describe("a request that comes again, after the queue couldn't be reached", () => {
  it("has its reading on the queue", async () => {
    const dataPoints = [{ timeUnixNano: `${clock.now + 3_600_000}000000`, asInt: "7" }];
    const metrics = [{ name: "process.memory.usage", gauge: { dataPoints } }];
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
    const away = storageErrors.create("WHENCE_ERR_QUEUE_UNAVAILABLE", ["/data/queue", "it is full"]);
    const publish = vi.spyOn(storage.queue, "publish").mockRejectedValueOnce(away);
    expect((await post("metrics", body)).statusCode).toBe(503);
    publish.mockRestore();
    expect((await post("metrics", body)).statusCode).toBe(200);
    expect((await published()).flatMap(({ batch }) => batch.readings)).toMatchObject([{ rss_bytes: 7 }]);
  });

  it("may be dropped: the next reading of its minute is on the queue", async () => {
    const at = (ms: number): string => {
      const dataPoints = [{ timeUnixNano: `${clock.now + 7_200_000 + ms}000000`, asInt: `${ms}` }];
      const metrics = [{ name: "process.memory.usage", gauge: { dataPoints } }];
      return JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
    };
    const away = storageErrors.create("WHENCE_ERR_QUEUE_UNAVAILABLE", ["/data/queue", "it is full"]);
    const publish = vi.spyOn(storage.queue, "publish").mockRejectedValueOnce(away);
    expect((await post("metrics", at(1))).statusCode).toBe(503);
    publish.mockRestore();
    await post("metrics", at(2));
    await post("metrics", at(3));
    expect((await published()).flatMap(({ batch }) => batch.readings)).toMatchObject([{ rss_bytes: 2 }]);
  });
});

describe("a request that isn't taken", () => {
  const status = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().code, answer.json().message];

  it("says so as a google.rpc.Status in its own encoding", async () => {
    const answer = await post("traces", Buffer.from([0x0a, 0x7f]));
    expect(answer.headers["content-type"]).toBe("application/x-protobuf");
    const reader = new BinaryReader(answer.rawPayload);
    expect([answer.statusCode, reader.tag(), reader.int32(), reader.tag(), reader.string()]).toEqual([
      ...[400, [1, 0], 3, [2, 2]],
      "the request can't be read: a message ends beyond the body (WHENCE_ERR_OTLP_BODY)",
    ]);
    expect(status(await post("traces", "{"))).toEqual([
      ...[400, 3],
      "the request can't be read: it is no valid JSON (WHENCE_ERR_OTLP_BODY)",
    ]);
    expect(status(await post("logs", '{"resourceLogs":{}}'))).toEqual([400, 3, expect.stringContaining("a list is")]);
  });

  it("gets 401 without a key and with an unknown one, and 403 with one that may not send", async () => {
    const { key: dsn } = await organizationWithKey(storage, "dsn", new Date(clock.now), "sentry");
    expect(status(await post("traces", "{}", {}))).toEqual([401, 16, expect.stringContaining("OTLP_KEY_MISSING")]);
    expect(status(await post("traces", "{}", { authorization: "Bearer nope" }))[0]).toBe(401);
    expect(status(await post("traces", "{}", { "x-api-key": dsn }))).toEqual([403, 7, expect.any(String)]);
    expect((await post("traces", "{}", { authorization: `Bearer ${key}` })).statusCode).toBe(200);
  });

  it("gets 415 with another type or encoding", async () => {
    const type = await post("traces", "{}", { "x-api-key": key, "content-type": "text/plain" });
    const encoding = await post("traces", "{}", { "x-api-key": key, "content-encoding": "lz4" });
    expect([type.statusCode, encoding.statusCode, encoding.headers["accept-encoding"]]).toEqual([
      ...[415, 415, "gzip, deflate, br, zstd"],
    ]);
  });

  it("gets 400 with more values than one may have, or nested more deeply", async () => {
    const nested = (levels: number) => `${'{"arrayValue":{"values":['.repeat(levels)}${"]}}".repeat(levels)}`;
    const log = (value: string) => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${value}}]}]}]}`;
    // Each level of a value is two of the message's, below six of the request's.
    expect((await post("logs", log(nested(12)))).statusCode).toBe(200);
    expect(status(await post("logs", log(nested(20))))).toEqual([400, 3, expect.stringContaining("32 levels")]);
    const many = `{"arrayValue":{"values":[${Array(otlpLimits.otlpValuesMax + 1).fill("{}")}]}}`;
    expect(status(await post("logs", log(many)))).toEqual([400, 3, expect.stringContaining("500000 values")]);
  });

  it("gets 413 from one byte over the limit, on the wire and unpacked", async () => {
    const body = (length: number) => `{}${" ".repeat(length - 2)}`;
    expect((await post("traces", body(otlpLimits.otlpBytesMax))).statusCode).toBe(200);
    expect((await post("traces", body(otlpLimits.otlpBytesMax + 1))).statusCode).toBe(413);
    const packed = (length: number) =>
      app.inject({
        ...{ method: "POST", url: "/v1/traces", payload: gzipSync(body(length)) },
        headers: { "content-type": "application/json", "content-encoding": "gzip", "x-api-key": key },
      });
    expect((await packed(otlpLimits.otlpUnpackedBytesMax)).statusCode).toBe(200);
    expect((await packed(otlpLimits.otlpUnpackedBytesMax + 1)).statusCode).toBe(413);
  });

  it("gets 429 with Retry-After beyond the rate of its key", async () => {
    const { key: own } = await organizationWithKey(storage, "rate");
    const answers = await Promise.all(
      Array.from({ length: rate + 1 }, () => post("traces", "{}", { "x-api-key": own })),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.map(({ headers }) => Number(headers["retry-after"]) > 0)).toEqual([true]);
  });
});

describe("the examples of OpenTelemetry's protocol", () => {
  it("are all accepted", async () => {
    const files = (await readdir(join(import.meta.dirname, "recorded"))).filter((file) => file.endsWith(".json"));
    expect(files.length).toBe(4);
    for (const file of files) {
      const signal = file.startsWith("trace") ? "traces" : file.startsWith("metrics") ? "metrics" : "logs";
      const answer = await post(signal, await readFile(join(import.meta.dirname, "recorded", file), "utf8"));
      expect([file, answer.statusCode, answer.json()]).toEqual([file, 200, {}]);
    }
  });
});

describe("any request", () => {
  const json = fc.json({ maxDepth: 6 });
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.dictionary(
        fc.constantFrom(
          ...["resourceSpans", "resourceLogs", "resourceMetrics", "scopeSpans", "scopeLogs", "spans", "logRecords"],
          ...["resource", "scope", "attributes", "events", "status", "key", "value", "stringValue", "arrayValue"],
          ...["kvlistValue", "values", "traceId", "spanId", "timeUnixNano", "severityNumber", "body", "name"],
        ),
        tie("value"),
      ),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  })).value;

  it("is taken or refused by a status of the protocol, whatever it holds", async () => {
    const { key: own } = await organizationWithKey(storage, "any");
    const bodies = fc.oneof(
      json,
      tree.map((value) => JSON.stringify(value)),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<Signal>("traces", "logs", "metrics"), bodies, async (signal, body) => {
        const { statusCode } = await post(signal, body, { "x-api-key": own });
        expect([200, 400]).toContain(statusCode);
      }),
      { numRuns: 300 },
    );
  });
});
