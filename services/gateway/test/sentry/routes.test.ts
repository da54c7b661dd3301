import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { type Delivery, type Storage, telemetryTopic, type UsageLedger } from "@whence/storage";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";
import { type BatchMessage, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, logEvent } from "../batches.ts";
import { buildApp, newKey, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";
import { addDsnKey, auth, envelope, event, eventId, project } from "./sent-envelopes.ts";

const registry = new Registry();
let storage: Storage;
let app: FastifyInstance;
let key: string;
let organizationId: string;
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };
beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    ...{ queue: storage.queue, keys: storage.control.keys, usage: storage.control.usage, secrets: storage.control },
    ...{ clock: () => clock.now, metrics: gatewayMetrics(registry), telemetryPerMinutePerKey: 100 },
  });
  ({ id: organizationId } = await organizationWithKey(storage, "sentry"));
  key = await dsnKey();
});
afterAll(async () => {
  await app.close();
  await storage.close();
});
afterEach(async () => {
  await published();
});

const dsnKey = (): Promise<string> => addDsnKey(storage, organizationId, new Date(clock.now));

async function published(): Promise<BatchMessage[]> {
  const deliveries: readonly Delivery[] = await storage.queue.receive(telemetryTopic, { max: 100, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read;
  });
}

function post(payload: Buffer | string, options: InjectOptions = {}): Promise<LightMyRequestResponse> {
  const { headers = auth(key), ...rest } = options;
  return app.inject({
    ...{ method: "POST", url: `/api/${project.id}/envelope/`, payload, ...rest },
    headers: { "content-type": "application/x-sentry-envelope", ...headers },
  });
}

describe("an envelope", () => {
  it("with an event is on the queue, for the service of its DSN, once 200 is answered with its ID", async () => {
    const answer = await post(envelope([["event", event]]));
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: eventId }]);
    const [message] = await published();
    expect(message).toMatchObject({
      ...{ scope_id: organizationId, received_at: "2026-03-01T12:00:00.000Z" },
      batch: { service: "orders", env: "PROD", events: [{ message: "stock is low", type: "log" }] },
    });
  });

  it("sent again is published once", async () => {
    const body = envelope([["event", { ...event, event_id: "1".repeat(32) }]]);
    expect((await post(body)).statusCode).toBe(200);
    expect((await post(body)).statusCode).toBe(200);
    expect(await published()).toHaveLength(1);
  });

  it.each([
    ["X-Sentry-Auth", () => post(envelope([["event", event]]))],
    [
      "Authorization",
      () => post(envelope([["event", event]]), { headers: { authorization: `Sentry sentry_key=${key}` } }),
    ],
    [
      "the query",
      () => post(envelope([["event", event]]), { headers: {}, query: { sentry_key: key, sentry_version: "7" } }),
    ],
    [
      "its DSN",
      () => post(envelope([["event", event]], { dsn: `https://${key}@whence.example/${project.id}` }), { headers: {} }),
    ],
  ])("may have its key in %s", async (_place, request) => {
    expect((await request()).statusCode).toBe(200);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("may be compressed with %s", async (encoding, pack) => {
    const body = pack(envelope([["event", event]]));
    const answer = await post(body, { headers: { ...auth(key), "content-encoding": encoding } });
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: eventId }]);
  });

  it.each([
    [23, 200],
    [24, 400],
  ])("may be compressed with zstd and a window of 2^%i bytes: %i", async (windowLog, status) => {
    const pack = async (bytes: number) => {
      const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
      const sent = envelope([
        ["event", event],
        ["attachment", randomBytes(bytes)],
      ]);
      // Told at once how much it is, it would need no larger window than that.
      stream.write(sent.subarray(0, 1));
      stream.end(sent.subarray(1));
      return await buffer(stream);
    };
    const headers = { ...auth(key), "content-encoding": "zstd" };
    expect((await post(await pack(2 ** 20), { headers })).statusCode).toBe(status);
    expect((await post(await pack(2 ** 22), { headers })).statusCode).toBe(status);
  });

  it("may come as text, as browsers send it, and without a type", async () => {
    const text = { "content-type": "text/plain;charset=UTF-8" };
    expect((await post(envelope([["event", event]]), { headers: { ...auth(key), ...text } })).statusCode).toBe(200);
  });

  it("keeps its event, reports of losses, and counts the rest", async () => {
    const report = { discarded_events: [{ reason: "queue_overflow", category: "error", quantity: 2 }] };
    const items: [string, unknown][] = [
      ["attachment", Buffer.from("a\nb\0c")],
      ["session", { sid: "1", status: "ok" }],
      ["client_report", report],
      ["client_report", "no object"],
      ["a type of tomorrow", {}],
      ["event", { ...event, event_id: undefined }],
    ];
    const id = "2a7b4b8c6cc741f799d347f264f3cce3";
    expect((await post(envelope(items, { event_id: id }))).json()).toEqual({ id });
    const batches = (await published()).map(({ batch }) => batch);
    expect(batches.map(({ events, dropped }) => [events.length, dropped])).toEqual([
      [1, undefined],
      [0, [{ from_seq: 1, to_seq: 2, reason: "queue_full" }]],
    ]);
    const counted = await registry.getSingleMetric("whence_sentry_items_total")?.get();
    const seen = counted?.values.map(({ labels }) => `${labels.type} ${labels.outcome}`);
    expect(seen).toEqual(
      expect.arrayContaining(["attachment counted", "session invalid", "client_report invalid", "other counted"]),
    );
  });

  it("has its reports in one message, which counts as an event of the day, as each item of sessions does", async () => {
    const added: number[] = [];
    const usage: UsageLedger = {
      add: (of, day, events) => {
        added.push(events);
        return storage.control.usage.add(of, day, events);
      },
    };
    const own = await buildApp({
      queue: storage.queue,
      keys: storage.control.keys,
      usage,
      secrets: storage.control,
      clock: () => clock.now,
    });
    const report = { discarded_events: [{ reason: "ignored", category: "error", quantity: 2 }] };
    const answer = await own.inject({
      ...{
        method: "POST",
        url: `/api/${project.id}/envelope/`,
        headers: { "content-type": "text/plain", ...auth(key) },
      },
      payload: envelope([
        ...[report, report, report].map((each) => ["client_report", each] as const),
        ...["a", "b"].map((sid) => ["session", { sid, started: new Date(clock.now).toISOString() }] as const),
      ]),
    });
    expect(answer.statusCode).toBe(200);
    await own.close();
    expect(added.reduce((sum, events) => sum + events, 0)).toBe(3);
    const batches = (await published()).map(({ batch }) => batch);
    const dropped = batches.flatMap((batch) => (batch.dropped ? [batch.dropped.map(({ to_seq }) => to_seq)] : []));
    expect([batches.length, dropped]).toEqual([2, [[2, 4, 6]]]);
  });

  it("without an event gets 200 and no ID", async () => {
    expect((await post('{}\n{"type":"session"}\n{}')).json()).toEqual({});
    expect(await published()).toEqual([]);
  });

  it("is stored completely or not at all", async () => {
    const answer = await post(
      envelope([
        ["event", event],
        ["event", "no object"],
      ]),
    );
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      detail: "the envelope can't be read: its event isn't a JSON object",
      code: "WHENCE_ERR_SENTRY_ENVELOPE",
    });
    expect(answer.headers["x-sentry-error"]).toContain("its event isn't a JSON object");
    expect(await published()).toEqual([]);
  });

  it("keeps its event with attachments of up to 20 MiB on the wire or 100 MiB unpacked, and gets 413 beyond", async () => {
    const { envelopeBytesMax, envelopeUnpackedBytesMax } = sentryLimits;
    const attached = (bytes: number) =>
      envelope([
        ["event", { ...event, event_id: String(bytes).padStart(32, "0"), message: `with ${bytes}` }],
        ["attachment", Buffer.alloc(bytes)],
      ]);
    const room = (max: number) => max - (attached(max).length - max);
    const packed = (bytes: number) =>
      post(gzipSync(attached(bytes)), { headers: { ...auth(key), "content-encoding": "gzip" } });
    const wireMax = room(envelopeBytesMax);
    const unpackedMax = room(envelopeUnpackedBytesMax);
    expect((await post(attached(wireMax))).statusCode).toBe(200);
    expect((await packed(unpackedMax)).statusCode).toBe(200);
    const kept = await published();
    expect(kept.flatMap(({ batch }) => batch.events.map(({ message }) => message)).sort()).toEqual([
      `with ${unpackedMax}`,
      `with ${wireMax}`,
    ]);
    const over = await post(attached(wireMax + 1));
    expect([over.statusCode, over.json().detail]).toEqual([413, expect.stringContaining("over 20971520 bytes on the")]);
    const overUnpacked = await packed(unpackedMax + 1);
    expect([overUnpacked.statusCode, overUnpacked.json().detail]).toEqual([
      413,
      expect.stringContaining("over 104857600 bytes unpacked"),
    ]);
    expect(await published()).toEqual([]);
  });

  it.each([
    ["deflate", "a", deflateSync],
    ["deflate", "b", deflateRawSync],
    ["br", "c", brotliCompressSync],
    ["zstd", "d", zstdCompressSync],
  ])("with a large attachment is unpacked in parts, too: %s", async (encoding, digit, pack) => {
    const body = envelope([
      ["attachment", Buffer.alloc(sentryLimits.wholeUnpackedBytesMax)],
      ["event", { ...event, event_id: digit.repeat(32), message: encoding }],
    ]);
    const headers = { ...auth(key), "content-encoding": encoding };
    expect((await post(pack(body), { headers })).statusCode).toBe(200);
    expect((await published()).map(({ batch }) => batch.events[0]?.message)).toEqual([encoding]);
    const damaged = Buffer.concat([pack(body).subarray(0, -20), Buffer.alloc(sentryLimits.wholeBytesMax)]);
    expect((await post(damaged, { headers })).statusCode).toBe(400);
  });

  it("may have an event of 1 MiB, and gets 413 beyond", async () => {
    const large = (bytes: number) => ({ ...event, extra: { x: "x".repeat(bytes) } });
    const rest = JSON.stringify(large(0)).length;
    expect((await post(envelope([["event", large(sentryLimits.itemBytesMax - rest)]]))).statusCode).toBe(200);
    expect((await post(envelope([["event", large(sentryLimits.itemBytesMax - rest + 1)]]))).statusCode).toBe(413);
  });

  it("whose key is only in its header may have 2 MiB on the wire, and 8 MiB unpacked", async () => {
    const attached = (bytes: number) =>
      envelope([["attachment", Buffer.alloc(bytes)]], { dsn: `https://${key}@whence.example/${project.id}` });
    const room = (max: number) => max - (attached(max).length - max);
    const packed = (bytes: number) =>
      post(gzipSync(attached(bytes)), { headers: { "content-encoding": "gzip" } }).then((answer) => answer.statusCode);
    const plain = (bytes: number) => post(attached(bytes), { headers: {} }).then((answer) => answer.statusCode);
    expect(await plain(room(sentryLimits.wholeBytesMax))).toBe(200);
    expect(await plain(room(sentryLimits.wholeBytesMax) + 1)).toBe(413);
    expect(await packed(room(sentryLimits.wholeUnpackedBytesMax))).toBe(200);
    expect(await packed(room(sentryLimits.wholeUnpackedBytesMax) + 1)).toBe(413);
  });

  it("is refused with 400 when it can't be unpacked, and with 415 for another encoding", async () => {
    const packed = (encoding: string) =>
      post(Buffer.from("no gzip"), { headers: { ...auth(key), "content-encoding": encoding } });
    expect((await packed("gzip")).statusCode).toBe(400);
    const other = await packed("lz4");
    expect([other.statusCode, other.headers["accept-encoding"]]).toEqual([415, "gzip, deflate, br, zstd"]);
  });
});

describe("an event without an envelope", () => {
  it("is taken by store", async () => {
    const id = "1a7b4b8c6cc741f799d347f264f3cce3";
    const answer = await post(JSON.stringify({ ...event, event_id: id }), { url: `/api/${project.id}/store/` });
    expect([answer.statusCode, answer.json()]).toEqual([200, { id }]);
    expect((await published())[0]?.batch.events).toMatchObject([{ message: "stock is low" }]);
  });

  it("without an ID is answered with the one that it was given", async () => {
    const answer = await post("{}", { url: `/api/${project.id}/store` });
    const [message] = await published();
    expect(message?.batch.events[0]?.id.replaceAll("-", "")).toBe(answer.json().id);
  });
});

describe("a key", () => {
  it("is needed", async () => {
    const answer = await post(envelope([["event", event]]), { headers: {} });
    expect([answer.statusCode, answer.json().code]).toEqual([401, "WHENCE_ERR_SENTRY_KEY_MISSING"]);
  });

  it("that is unknown or revoked gets 401", async () => {
    const unknown = await post(envelope([["event", event]]), { headers: auth(newKey()) });
    expect([unknown.statusCode, unknown.json().code]).toEqual([401, "WHENCE_ERR_TELEMETRY_KEY_UNKNOWN"]);
    const own = await dsnKey();
    const { id = "" } = (await storage.control.keys.list(organizationId)).at(-1) ?? {};
    await storage.control.keys.revoke(organizationId, id, new Date(clock.now));
    const revoked = await post(envelope([["event", event]]), { headers: auth(own) });
    expect([revoked.statusCode, revoked.json().code]).toEqual([401, "WHENCE_ERR_TELEMETRY_KEY_REVOKED"]);
  });

  it("of no DSN gets 403, even if it may do everything else", async () => {
    const { key: full } = await organizationWithKey(storage, "full", new Date(clock.now), "full");
    const answer = await post(envelope([["event", event]]), { headers: auth(full) });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "WHENCE_ERR_SENTRY_KEY"]);
  });

  it("of another project than the path's gets 403", async () => {
    const answer = await post(envelope([["event", event]]), { url: "/api/4712/envelope/" });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "WHENCE_ERR_SENTRY_PROJECT"]);
  });

  it("of a DSN sends nothing but what Sentry's clients send", async () => {
    const answer = await send(app, key, batchOf([logEvent()]));
    expect([answer.statusCode, answer.json().code]).toEqual([403, "WHENCE_ERR_TELEMETRY_KEY_SCOPE"]);
  });

  it("above its rate gets 429, with how long to wait, for all categories", async () => {
    const own = await dsnKey();
    const sent = () => post('{}\n{"type":"session"}\n{}', { headers: auth(own) });
    for (let count = 0; count < 100; count++) expect((await sent()).statusCode).toBe(200);
    const refused = await sent();
    expect(refused.statusCode).toBe(429);
    const wait = refused.headers["retry-after"];
    expect(Number(wait)).toBeGreaterThan(0);
    expect(refused.headers["x-sentry-rate-limits"]).toBe(`${wait}::key`);
  });
});

describe("a page", () => {
  const from = (origin: string) => post(envelope([["event", event]]), { headers: { ...auth(key), origin } });

  it("may send from an origin of the DSN, and read the answer", async () => {
    for (const origin of ["https://shop.example", "https://eu.shop.example"]) {
      const answer = await from(origin);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      expect(answer.headers["access-control-expose-headers"]).toContain("x-sentry-rate-limits");
    }
  });

  it.each(["https://other.example", "https://evilshop.example", "http://shop.example", "null"])(
    "may not send from %s",
    async (origin) => {
      const answer = await from(origin);
      expect([answer.statusCode, answer.json().code]).toEqual([403, "WHENCE_ERR_SENTRY_ORIGIN"]);
    },
  );

  it("gets an answer to its preflight request", async () => {
    const answer = await app.inject({ method: "OPTIONS", url: `/api/${project.id}/envelope/` });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers["access-control-allow-methods"]).toBe("POST");
    expect(answer.headers["access-control-allow-headers"]).toContain("x-sentry-auth");
  });
});
