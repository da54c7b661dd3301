import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Turns, turnBytesMax } from "../../src/plugins/turns.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";
import { streamedSteps } from "../../src/sentry/streamed-spans.ts";
import {
  kept,
  outcomes,
  outcomesByType,
  sendEnvelope,
  startedAt,
  traceId,
  useSentryGateway,
} from "./sentry-gateway.ts";

useSentryGateway();

/** An item as clients send it that stream spans while their trace goes on. */
const streamed = (...spans: readonly object[]): [string, unknown] => ["span", { version: 2, items: spans }];
const streamedSpan = (op: string, fields: object = {}, attributes: object = {}) => ({
  ...{ trace_id: traceId, span_id: "c".repeat(16), parent_span_id: "a".repeat(16), name: op, status: "ok" },
  ...{ start_timestamp: startedAt, end_timestamp: startedAt + 0.1, is_segment: false, ...fields },
  attributes: Object.fromEntries(
    Object.entries({ "sentry.op": op, "sentry.release": "1.4.2", ...attributes }).map(([name, value]) => {
      return [name, { value, type: typeof value === "number" ? "integer" : "string" }];
    }),
  ),
});
const sendStreamed = (spans: readonly object[], origins: string[] = []): Promise<number> =>
  sendEnvelope(
    ["{}", ...streamed(...spans).map((line, index) => JSON.stringify(index === 0 ? { type: line } : line))].join("\n"),
    origins,
  );

describe("spans that a client streams", () => {
  it("are kept as the steps of a transaction are, as Node's client sends them", async () => {
    await outcomes();
    expect(await sendEnvelope(await readFile(join(import.meta.dirname, "recorded/node-spans.envelope")))).toBe(200);
    expect(await kept()).toMatchObject([
      {
        ...{ kind: "client", category: "http", method: "GET", target: "http://127.0.0.1:45999/charges" },
        ...{ error: "connect ECONNREFUSED 127.0.0.1:45999", release: "1.4.2", env: "PROD", weight: 1 },
      },
    ]);
    expect(await outcomes()).toEqual({ stored: 1 });
  });

  it("are kept as the steps of a transaction are, as Python's client sends them", async () => {
    await outcomes();
    expect(await sendEnvelope(await readFile(join(import.meta.dirname, "recorded/python-spans.envelope")))).toBe(200);
    expect(await kept()).toMatchObject([
      { kind: "client", category: "db", target: "sqlite: ", peer: "", error: "error", release: "1.4.2", env: "PROD" },
      {
        ...{ kind: "client", category: "http", method: "GET", target: "http://127.0.0.1:45999/charges" },
        ...{ peer: "127.0.0.1:45999", status_code: 503, error: "error" },
      },
    ]);
    expect(await outcomes()).toEqual({ stored: 1 });
  });

  it("have the name of their segment without a query string, and no statement", async () => {
    const handled = { "http.request.method": "GET", "url.full": "http://shop/orders/7?session=secret" };
    await sendStreamed([
      streamedSpan("http.server", { is_segment: true, name: "/orders/7?session=secret", status: "error" }, handled),
      streamedSpan("db", { name: "SELECT 4111", status: "error" }, { "db.system.name": "postgresql" }),
    ]);
    const found = await kept();
    expect(found).toMatchObject([
      { kind: "server", name: "/orders/7", target: "/orders/7", error: "error" },
      { kind: "client", category: "db", name: "db", target: "postgresql: " },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/4111|secret/);
  });

  it("are of the kind that they say when their operation says none", async () => {
    await sendStreamed([streamedSpan("", { status: "error" }, { "sentry.kind": "consumer" })]);
    expect(await kept()).toMatchObject([{ kind: "consumer" }]);
  });

  it("don't fail as handled requests by what the caller did wrong", async () => {
    const answers = ["not_found", "invalid_argument", "unauthenticated", "internal_error"].map((answer, index) => {
      const fields = { status: "error", span_id: `${index + 1}`.padStart(16, "e") };
      return streamedSpan("http.server", fields, { "sentry.status.message": answer });
    });
    await sendStreamed(answers);
    expect((await kept()).map(({ error }) => error)).toEqual(["internal_error"]);
  });

  it("don't fail as handled requests by an answer of 400 to 499, where the client says only that", async () => {
    const answers = [399, 400, 404, 499, 500].map((code, index) => {
      const fields = { status: "error", span_id: `${index + 1}`.padStart(16, "f") };
      return streamedSpan("http.server", fields, { "http.request.method": "GET", "http.response.status_code": code });
    });
    await sendStreamed(answers);
    expect((await kept()).map(({ status_code: code }) => code)).toEqual([399, 500]);
  });

  it("are calls to what their name says, where only that has the URL", async () => {
    const name = "GET https://pay.example/charges?token=abc";
    await sendStreamed([
      streamedSpan("http.client", { status: "error", name, span_id: "9".repeat(16) }, { "server.address": "shop-7" }),
    ]);
    expect(await kept()).toMatchObject([
      { kind: "client", method: "GET", target: "https://pay.example/charges", peer: "pay.example" },
    ]);
  });

  describe("whose client names its own host on each", () => {
    const call = (address: string, attributes: object = {}) =>
      streamedSpan(
        "db",
        { status: "error", span_id: address.padStart(16, "0").replace(/[^a-f\d]/g, "0") },
        { "server.address": address, "sentry.sdk.name": "sentry.python.django", ...attributes },
      );
    const handled = streamedSpan(
      "http.server",
      { is_segment: true },
      { "server.address": "shop-7", "sentry.sdk.name": "sentry.python.django" },
    );
    const peers = async (...spans: readonly object[]) => {
      await sendStreamed(spans);
      return (await kept()).map(({ peer }) => peer);
    };

    it("are calls to no known host when they have only that of the item's own steps", async () => {
      expect(await peers(call("shop-7"), call("db-1"), handled)).toEqual(["", "db-1"]);
      expect(await peers(handled, call("db-2", { "server.port": 5432 }))).toEqual(["db-2:5432"]);
      expect(await peers(handled, call("shop-7", { "server.port": 6379 }))).toEqual(["shop-7:6379"]);
    });

    it("have the host that a segment names, whatever other steps name before it", async () => {
      const step = (op: string, address: string, attributes: object = {}) =>
        streamedSpan(op, {}, { "server.address": address, "sentry.sdk.name": "sentry.python.django", ...attributes });
      const others = [
        ...[step("socket.dns", "db-3"), step("socket.connection", "db-3"), step("queue.process", "db-3")],
        ...[step("function", "db-3", { "server.port": 1 }), step("function", "db-3")],
      ];
      expect(await peers(...others, call("db-3"), call("shop-7"), handled)).toEqual(["db-3", ""]);
    });

    it("have the host that a step names which connects to nothing, in an item without a segment", async () => {
      const step = (op: string, address: string) =>
        streamedSpan(op, {}, { "server.address": address, "sentry.sdk.name": "sentry.python" });
      const others = [step("socket.dns", "db-4"), step("socket.connection", "db-4"), step("queue.process", "db-4")];
      expect(await peers(...others, step("function", "shop-8"), call("db-4"), call("shop-8"))).toEqual(["db-4", ""]);
      expect(await peers(...others, call("db-5"), call("c-1", { "server.port": 5432 }))).toEqual(["", "c-1:5432"]);
    });

    it("are calls to what they name when another client sends them", async () => {
      const ofNode = { "sentry.sdk.name": "sentry.javascript.node" };
      const segment = streamedSpan("http.server", { is_segment: true }, { "server.address": "d-1", ...ofNode });
      expect(await peers(segment, call("d-1", ofNode))).toEqual(["d-1"]);
    });

    it("are calls to no known host when an item of Python's client has no such step", async () => {
      expect(await peers(call("a-1"), call("a-2", { "server.port": 5432 }))).toEqual(["", "a-2:5432"]);
      expect(await peers(call("b-1", { "sentry.sdk.name": "sentry.javascript.node" }))).toEqual(["b-1"]);
    });
  });

  it("are only counted when they come from a page, whose key is public", async () => {
    await outcomes();
    await sendStreamed([streamedSpan("http.client", { status: "error" })], ["https://shop"]);
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ counted: 1 });
  });

  it("are read up to 1,000 of an item", async () => {
    await sendStreamed(
      Array.from({ length: sentryLimits.spansMax + 1 }, (_, index) =>
        streamedSpan("http.client", { status: "error", span_id: `${index}`.padStart(16, "d") }),
      ),
    );
    expect(await kept()).toHaveLength(sentryLimits.spansMax);
  });

  it("are read up to the 5 MB of an item that clients send", async () => {
    await outcomes();
    const note = "n".repeat(5 * 1_024);
    await sendStreamed(
      Array.from({ length: 1_000 }, (_, index) =>
        streamedSpan("db", { status: "error", span_id: `${index}`.padStart(16, "7") }, { note }),
      ),
    );
    expect(await kept()).toHaveLength(1_000);
    expect(await outcomes()).toEqual({ stored: 1 });
  });

  it("are read without those of more than 1 MiB", async () => {
    const at = (index: number, attributes: object) =>
      JSON.stringify(streamedSpan("db", { status: "error", span_id: `${index}`.padStart(16, "8") }, attributes));
    const spans = [at(1, {}), at(2, { note: "n".repeat(sentryLimits.itemBytesMax) }), at(3, {})];
    await sendEnvelope(`{}\n{"type":"span"}\n{"version":2,"items":[${spans.join(",")}]}`);
    expect((await kept()).map(({ span_id: id }) => id.at(-1))).toEqual(["1", "3"]);
  });

  it("are counted as over the limit when all of an item are of more than 1 MiB", async () => {
    await outcomes();
    const note = "n".repeat(sentryLimits.itemBytesMax);
    await sendStreamed([streamedSpan("db", { status: "error" }, { note })]);
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ over_limit: 1 });
  });

  it("are skipped for the sake of an event and a report, when all together have more than 8 MiB", async () => {
    const spansOf = (mebibytes: number, id: string): [string, unknown] => {
      const note = "n".repeat((mebibytes * 1_048_576) / 10 - 1_000);
      return streamed(
        ...Array.from({ length: 10 }, (_, index) =>
          streamedSpan("db", { status: "error", span_id: `${id}${index}`.padStart(16, "6") }, { note }),
        ),
      );
    };
    const sendItems = (...items: [string, unknown][]) =>
      sendEnvelope(
        ["{}", ...items.flatMap(([type, item]) => [{ type }, item].map((line) => JSON.stringify(line)))].join("\n"),
      );
    const event: [string, unknown] = ["event", { event_id: "e".repeat(32), message: "no stock" }];
    const report: [string, unknown] = [
      "client_report",
      { discarded_events: [{ reason: "queue_overflow", category: "error", quantity: 2 }], note: "n".repeat(20_000) },
    ];
    await outcomes();
    expect(await sendItems(event, spansOf(4.5, "a"), spansOf(4.5, "b"))).toBe(200);
    expect(await kept()).toHaveLength(10);
    expect(await outcomesByType()).toEqual({ "event stored": 1, "span stored": 1, "span over_limit": 1 });
    expect(await sendItems(spansOf(7.995, "c"), report)).toBe(200);
    expect(await kept()).toEqual([]);
    expect(await outcomesByType()).toEqual({ "span over_limit": 1, "client_report stored": 1 });
  });

  it("are counted as over the limit when their item has more than 8 MiB", async () => {
    await outcomes();
    const note = "n".repeat(sentryLimits.itemBytesMax / 2);
    await sendStreamed(Array.from({ length: 17 }, () => streamedSpan("db", { status: "error" }, { note })));
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ over_limit: 1 });
  });

  it("are invalid without IDs or times, and never refused, whatever they hold", async () => {
    await outcomes();
    await sendStreamed([streamedSpan("http.client", { trace_id: "0" })]);
    await sendStreamed([streamedSpan("http.client", { end_timestamp: null })]);
    await sendStreamed([]);
    await sendEnvelope(
      `{}\n{"type":"span"}\n{"items":[${JSON.stringify(streamedSpan("db", { status: "error" }))},{no}]}`,
    );
    expect(await kept()).toEqual([]);
    expect(await outcomes()).toEqual({ invalid: 4 });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (attributes, one) => {
        expect(await sendStreamed([{ ...streamedSpan("db"), attributes }, { one }])).toBe(200);
      }),
      { numRuns: 50 },
    );
  });
});

it.each([
  ["one too large", [8 * turnBytesMax]],
  ["many", Array.from({ length: 800 }, () => turnBytesMax / 100)],
])("an item of 4 MiB waits for further turns while it is read, of %s", async (_, lengths) => {
  const turns = new Turns();
  const take = vi.spyOn(turns, "take");
  const spans = lengths.map((length) => JSON.stringify({ name: "n".repeat(length) }));
  await streamedSteps(Buffer.from(`{"items":[${spans.join(",")}]}`), turns);
  expect(take.mock.calls.length).toBeGreaterThanOrEqual(7);
});
