import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import { type Queue, type Storage, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { batchOf, logEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { buildApp, openTestStorage, organizationWithKey, path } from "../test-gateway.ts";

const mebibyte = 1_048_576;

let storage: Storage;
let key: string;
let ofAnother: { readonly "x-api-key": string };
beforeAll(async () => {
  storage = await openTestStorage();
  ({ key } = await organizationWithKey(storage, "shed"));
  ofAnother = { "x-api-key": (await organizationWithKey(storage, "another")).key };
});
afterAll(() => storage.close());

let app: FastifyInstance;
let port: number;
let registry: Registry;
/** Ends the queue's stall. */
let goOn: () => void;
/** The number of publishes started. */
let asked: number;
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
beforeEach(async () => {
  asked = 0;
  const stalled = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const queue: Queue = {
    ...storage.queue,
    receive: (...args) => storage.queue.receive(...args),
    async publish(topic, messages) {
      asked += 1;
      await stalled;
      await storage.queue.publish(topic, messages);
    },
  };
  registry = new Registry();
  const { keys, usage } = storage.control;
  app = await buildApp({ queue, keys, usage, secrets: storage.control, metrics: gatewayMetrics(registry) });
  port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterEach(async () => {
  goOn();
  await app.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

function open(headers: Record<string, string | number> = {}): ClientRequest {
  const json = { "content-type": "application/json", "x-api-key": key };
  return httpRequest({ agent, host: "127.0.0.1", port, path, method: "POST", headers: { ...json, ...headers } });
}

async function answerTo(request: ClientRequest): Promise<Answer> {
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("there was no answer");
  return { status: response.statusCode, retryAfter: response.headers["retry-after"], body: await text(response) };
}

function post(body: string | Buffer, headers: Record<string, string | number> = {}): Promise<Answer> {
  const request = open({ "content-length": Buffer.byteLength(body), ...headers });
  const answer = answerTo(request);
  request.end(body);
  return answer;
}

/** Returns a batch of exactly `bytes` bytes. */
function batchOfBytes(bytes: number): string {
  const batch = JSON.stringify(batchOf([logEvent()]));
  return batch + " ".repeat(bytes - Buffer.byteLength(batch));
}

async function figure(name: string, labels: Record<string, string> = {}): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  const found = metric?.values.find((one) => Object.entries(labels).every(([label, is]) => one.labels[label] === is));
  return found?.value ?? 0;
}
const underWay = () => figure("whence_telemetry_requests_under_way");
const bytesUnderWay = () => figure("whence_telemetry_bytes_under_way");
const shed = (reason: string) => figure("whence_telemetry_refused_batches_total", { reason });
const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
const until = (requests: number) => eventually(`${requests} requests`, async () => (await underWay()) === requests);

const overloaded = {
  status: 503,
  retryAfter: "5",
  body: JSON.stringify({
    detail: "the gateway has as much in hand as it can take: send the batch again in 5 seconds",
    code: "WHENCE_ERR_TELEMETRY_OVERLOADED",
  }),
};

describe("while the queue stalls, the gateway", () => {
  it("holds 64 MiB of batches, 48 of one organization, and loses none that it accepted", async () => {
    const taken = Array.from({ length: 48 }, () => post(batchOfBytes(mebibyte)));
    await until(48);
    expect(await post(batchOfBytes(600))).toEqual(overloaded);
    taken.push(...Array.from({ length: 16 }, () => post(batchOfBytes(mebibyte), ofAnother)));
    await until(64);
    expect(await bytesUnderWay()).toBe(64 * mebibyte);
    expect(await post(batchOfBytes(600), ofAnother)).toEqual(overloaded);
    expect(await shed("shed_bytes")).toBe(2);
    goOn();
    expect(new Set((await Promise.all(taken)).map(({ status }) => status))).toEqual(new Set([202]));
    await until(0);
    expect(await bytesUnderWay()).toBe(0);
    expect((await post(batchOfBytes(600))).status).toBe(202);
    expect((await storage.queue.depth(telemetryTopic)).pending).toBe(65);
  });

  it("counts a body of unknown length as the longest, before it has arrived", async () => {
    const request = open({ "transfer-encoding": "chunked" });
    request.on("error", () => undefined);
    request.write("{");
    await until(1);
    expect(await bytesUnderWay()).toBe(limits.batchBytesMax);
    request.destroy();
    await until(0);
  });

  it("counts a gzip body by its unpacked size", async () => {
    const answer = post(gzipSync(batchOfBytes(3 * mebibyte)), { "content-encoding": "gzip" });
    await eventually("its real size", async () => (await bytesUnderWay()) === 3 * mebibyte);
    goOn();
    expect((await answer).status).toBe(202);
    await until(0);
    expect(await bytesUnderWay()).toBe(0);
  });

  it("holds 1,000 batches, 750 of one organization, and refuses the next", async () => {
    const taken = Array.from({ length: 750 }, () => post(batchOfBytes(600)));
    await until(750);
    expect(await post(batchOfBytes(600))).toEqual(overloaded);
    taken.push(...Array.from({ length: 250 }, () => post(batchOfBytes(600), ofAnother)));
    await until(1_000);
    expect(await post(batchOfBytes(600), ofAnother)).toEqual(overloaded);
    expect(await shed("shed_requests")).toBe(2);
    goOn();
    expect(new Set((await Promise.all(taken)).map(({ status }) => status))).toEqual(new Set([202]));
    await until(0);
  });

  it("keeps the batch of a client that disconnected, and publishes it", async () => {
    const { pending } = await storage.queue.depth(telemetryTopic);
    const request = open();
    request.on("error", () => undefined);
    request.end(batchOfBytes(600));
    await until(1);
    await eventually("the queue to be asked", async () => asked === 1);
    request.destroy();
    await eventually("its end", async () => (await connections()) === 0);
    expect(await underWay()).toBe(1);
    goOn();
    await until(0);
    expect((await storage.queue.depth(telemetryTopic)).pending).toBe(pending + 1);
  });

  it("gives no place to unauthenticated requests", async () => {
    const strangers = Array.from({ length: 5 }, () => post(batchOfBytes(600), { "x-api-key": "whk_unknown" }));
    expect(new Set((await Promise.all(strangers)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(await underWay()).toBe(0);
  });
});

describe("while its event loop is late, the gateway", () => {
  it.each([300, 600])("by %d ms a turn, refuses every batch, and accepts them once it recovers", async (turnMs) => {
    goOn();
    let isLate = true;
    const block = (): void => {
      const end = performance.now() + turnMs;
      while (performance.now() < end);
      if (isLate) setImmediate(block);
    };
    block();
    const refused = await eventually("a refusal", async () => {
      const answer = await post(batchOfBytes(600));
      // A batch that was accepted before may wait for its storage until that counts as failed, with 503, too.
      return answer.body === overloaded.body && answer;
    });
    isLate = false;
    expect(refused).toEqual(overloaded);
    expect(await shed("shed_late")).toBeGreaterThanOrEqual(1);
    await eventually("its recovery", async () => (await post(batchOfBytes(600))).status === 202);
  });
});
