import { storageErrors } from "@whence/storage";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { otlpLimits } from "../../src/otlp/otlp-limits.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";
import {
  clock,
  kept,
  outcomes,
  sendEnvelope,
  startedAt,
  storage,
  traceId,
  useSentryGateway,
} from "./sentry-gateway.ts";

useSentryGateway();

const send = (transaction: unknown, origins: string[] = [], ...after: [string, unknown][]): Promise<number> => {
  const items = [["transaction", transaction], ...after].flatMap(([type, item]) => [{ type }, item]);
  return sendEnvelope(["{}", ...items.map((line) => JSON.stringify(line))].join("\n"), origins);
};

const trace = { trace_id: traceId, span_id: "a".repeat(16), op: "http.server", status: "ok" };
const step = (fields: object, index = 1) => ({
  ...{ span_id: index.toString(16).padStart(16, "b"), parent_span_id: "a".repeat(16), trace_id: traceId },
  ...{ start_timestamp: startedAt, timestamp: startedAt + 0.1, ...fields },
});
const transaction = (spans: readonly object[], fields: object = {}) => ({
  ...{ type: "transaction", transaction: "/orders/:id", platform: "node", release: "1.4.2" },
  ...{ start_timestamp: startedAt, timestamp: startedAt + 0.5, contexts: { trace }, spans, ...fields },
});

const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => step({ op: "http.client", status: "unavailable" }, index + 1));

async function sendWithoutQueue(): Promise<number> {
  const away = storageErrors.create("WHENCE_ERR_QUEUE_UNAVAILABLE", ["/data/queue", "it is full"]);
  const publish = vi.spyOn(storage.queue, "publish").mockRejectedValueOnce(away);
  const status = await send(transaction(failed(sentryLimits.spansMax)));
  publish.mockRestore();
  return status;
}

describe("a transaction", () => {
  it("is kept with the steps that failed or were slow, as outgoing calls and handled requests", async () => {
    const spans = [
      step({
        ...{ op: "http.client", description: "GET http://stock:81/items/7?token=abc", status: "not_found" },
        data: { "http.response.status_code": 404 },
      }),
      step({
        ...{ op: "db", description: "SELECT * FROM cards WHERE number = 4111", status: "internal_error" },
        data: { "db.system": "postgresql", "db.operation": "SELECT", "server.address": "db-1", "server.port": 5432 },
      }),
      step({ op: "http.client", description: "GET http://prices/7", status: "ok" }),
      step({ op: "db.redis", status: "ok", timestamp: startedAt + 1 }),
      step({ op: "function", description: "render", status: "internal_error" }),
    ];
    const contexts = { trace: { ...trace, status: "internal_error" } };
    const request = { method: "GET", url: "http://shop/orders/7?session=secret" };
    expect(await send(transaction(spans, { contexts, request }))).toBe(200);
    const found = await kept();
    expect(found).toMatchObject([
      ...[
        { kind: "server", method: "GET", target: "/orders/7", name: "/orders/:id", error: "internal_error" },
        { kind: "client", method: "GET", target: "http://stock:81/items/7", peer: "stock:81", status_code: 404 },
        { kind: "client", category: "db", method: "SELECT", peer: "db-1:5432", error: "internal_error" },
        { kind: "client", category: "db", target: "redis: ", duration_ms: 1_000, error: null },
      ],
    ]);
    expect(found.every(({ trace_id, weight }) => trace_id === traceId && weight === 1)).toBe(true);
    expect(found[1]).toMatchObject({ at: "2026-03-01T12:00:00.000Z", parent_id: "a".repeat(16), duration_ms: 100 });
    expect(JSON.stringify(found)).not.toMatch(/4111|abc|secret/);
    expect(await outcomes()).toEqual({ stored: 1 });
  });

  it("doesn't fail as a handled request by an answer of 400, which is the caller's failure", async () => {
    const contexts = { trace: { ...trace, status: "not_found" } };
    await send(transaction([], { contexts }));
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ counted: 1 });
  });

  it("is kept whole when its trace is one of the sample", async () => {
    const sampled = { ...trace, trace_id: `${"0".repeat(31)}1` };
    const call = step({ op: "http.client", description: "GET http://prices/7", trace_id: sampled.trace_id });
    await send(transaction([call], { contexts: { trace: sampled } }));
    expect((await kept()).map(({ weight }) => weight)).toEqual([otlpLimits.otlpSampledOf, otlpLimits.otlpSampledOf]);
  });

  it("is only counted when it comes from a page, whose key is public", async () => {
    await outcomes();
    await send(transaction([], { contexts: { trace: { ...trace, status: "internal_error" } } }), ["https://shop"]);
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ counted: 1 });
  });

  it("is read up to 1,000 steps", async () => {
    await send(transaction(failed(sentryLimits.spansMax + 1)));
    expect(await kept()).toHaveLength(sentryLimits.spansMax);
  });

  it.each<[string, number, () => Promise<number>]>([
    ["the queue can't be reached", 503, sendWithoutQueue],
    ["its envelope is refused", 400, () => send(transaction(failed(sentryLimits.spansMax)), [], ["event", "none"])],
  ])("gives its part of the allowance back when %s", async (_, status, sendRefused) => {
    const requests = otlpLimits.otlpSpansPerMinuteMax / sentryLimits.spansMax;
    expect(await sendRefused()).toBe(status);
    for (let sent = 0; sent < requests; sent += 1) {
      // Another trace each, since the queue takes the same spans once.
      const of = { trace: { ...trace, trace_id: `${clock.now}${sent}`.padStart(32, "f") } };
      const spans = failed(sentryLimits.spansMax).map((one, index) => ({
        ...one,
        ...{ trace_id: of.trace.trace_id, span_id: `${sent}${index}`.padStart(16, "c") },
      }));
      await send(transaction(spans, { contexts: of }));
      expect(await kept()).toHaveLength(sentryLimits.spansMax);
    }
    await send(transaction(failed(1)));
    expect(await kept()).toEqual([]);
  });

  it("is invalid without IDs or times, and never refused, whatever it holds", async () => {
    await outcomes();
    await send(transaction([], { contexts: {} }));
    await send(transaction([], { start_timestamp: null }));
    expect(await outcomes()).toEqual({ invalid: 2 });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (contexts, spans) => {
        expect(await send({ ...transaction([]), contexts, spans })).toBe(200);
      }),
      { numRuns: 50 },
    );
  });
});
