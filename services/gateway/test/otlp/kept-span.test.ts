import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptSpan } from "../../src/otlp/kept-span.ts";
import { otlpLimits } from "../../src/otlp/otlp-limits.ts";
import { readRequest, traceRequest } from "../../src/otlp/requests.ts";
import { SpanAllowance } from "../../src/otlp/span-allowance.ts";
import type { Span } from "../../src/otlp/span-message.ts";
import { at, jsonTraces, type TestSpan } from "./spans.ts";

/** A trace that isn't one of the sample. */
const traceId = "f".repeat(32);
const client: TestSpan = { traceId, spanId: "1".repeat(16), name: "GET", kind: 3 };

function read(span: TestSpan): Span {
  const { resourceSpans } = readRequest(traceRequest, Buffer.from(jsonTraces({}, [span])), "json");
  const [first] = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  if (!first) throw new Error("no span");
  return first.read();
}
const kept = (span: Partial<TestSpan>) => keptSpan(read({ ...client, ...span }));

describe("a span", () => {
  it("is kept when it failed, by its status or by an answer of 500 and above", () => {
    expect(kept({})).toBeUndefined();
    expect(kept({ status: 1 })).toBeUndefined();
    expect(kept({ status: 2 })).toMatchObject({ kind: "client", error: "", weight: 1 });
    const answered = (code: string) => ({
      attributes: { "http.request.method": "GET", "http.response.status_code": code },
    });
    expect(kept(answered("499"))).toBeUndefined();
    expect(kept(answered("500"))).toMatchObject({ status_code: 500, error: "" });
  });

  it("is kept when it took a second", () => {
    expect(kept({ endMs: at + otlpLimits.otlpSlowSpanMs - 1 })).toBeUndefined();
    expect(kept({ endMs: at + otlpLimits.otlpSlowSpanMs })).toMatchObject({
      duration_ms: 1_000,
      error: null,
      weight: 1,
    });
  });

  it("isn't kept when it is a step within a service", () => {
    expect([0, 1].map((kind) => kept({ kind, status: 2 }))).toEqual([undefined, undefined]);
    expect([2, 4, 5].map((kind) => kept({ kind, status: 2 })?.kind)).toEqual(["server", "producer", "consumer"]);
  });

  it("is kept with all of its trace in one of ten, whichever service it is of", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
    let sampled = 0;
    let all = 0;
    fc.assert(
      fc.property(hex, (id) => {
        const [one, other] = [kept({ traceId: id }), kept({ traceId: id, kind: 2, name: "other" })];
        expect(one === undefined).toBe(other === undefined);
        all += 1;
        if (one) {
          sampled += 1;
          expect(one.weight).toBe(otlpLimits.otlpSampledOf);
        }
      }),
      { numRuns: 2_000, seed: 7 },
    );
    expect(sampled / all).toBeGreaterThan(0.05);
    expect(sampled / all).toBeLessThan(0.2);
  });

  it.each([
    [
      "HTTP, by its stable names",
      {
        "http.request.method": "GET",
        "url.full": "https://u:p@pay:8080/v1/31?card=4",
        "http.response.status_code": "502",
      },
      { category: "http", method: "GET", target: "https://pay:8080/v1/31", peer: "pay:8080", status_code: 502 },
    ],
    [
      "HTTP, by its old names",
      { "http.method": "post", "http.url": "http://pay/v1#a", "http.status_code": "503" },
      { category: "http", method: "POST", target: "http://pay/v1", peer: "pay", status_code: 503 },
    ],
    [
      "HTTP without a URL",
      { "http.method": "GET", "http.target": "/v1?a=b", "net.peer.name": "pay", "net.peer.port": "81" },
      { category: "http", target: "http://pay:81/v1", peer: "pay:81" },
    ],
    [
      "RPC",
      {
        "rpc.system": "grpc",
        "rpc.service": "shop.Pay",
        "rpc.method": "Charge",
        "server.address": "pay",
        "server.port": "50051",
      },
      { category: "rpc", method: "RPC", target: "grpc://pay:50051/shop.Pay/Charge", peer: "pay:50051" },
    ],
    [
      "a database",
      {
        "db.system.name": "postgresql",
        "db.operation.name": "SELECT",
        "db.collection.name": "orders",
        "server.address": "db",
      },
      { category: "db", method: "SELECT", target: "postgresql: SELECT orders", peer: "db" },
    ],
    [
      "messaging",
      { "messaging.system": "kafka", "messaging.destination.name": "orders", "messaging.operation.name": "publish" },
      { category: "messaging", method: "publish", target: "kafka: orders" },
    ],
  ])("of %s says what was called, without query strings, credentials, and values", (_of, attributes, called) => {
    expect(kept({ attributes, status: 2 })).toMatchObject(called);
  });
});

describe("the allowance of an organization", () => {
  it("is used up by half by samples, whole by failures, and is there again in the next minute", () => {
    const clock = { now: 0 };
    const allowance = new SpanAllowance(() => clock.now);
    const taken = (isSample: boolean) => {
      let count = 0;
      while (allowance.takes("a", isSample)) count += 1;
      return count;
    };
    const half = otlpLimits.otlpSpansPerMinuteMax / 2;
    expect(allowance.hasRoomForSample("a")).toBe(true);
    expect([taken(true), allowance.hasRoomForSample("a")]).toEqual([half, false]);
    expect([taken(false), taken(false)]).toEqual([half, 0]);
    expect(allowance.takes("b", true)).toBe(true);
    allowance.giveBack("a", 2);
    expect(taken(false)).toBe(2);
    clock.now = 59_999;
    expect(allowance.takes("a", false)).toBe(false);
    clock.now = 60_000;
    expect(allowance.takes("a", false)).toBe(true);
  });
});
