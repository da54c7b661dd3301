import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import { type Storage, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, logEvent } from "./batches.ts";
import { eventually } from "./eventually.ts";
import { buildApp, openTestStorage, organizationWithKey, path } from "./test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let key: string;
let port: number;
beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage: storage.control.usage,
    secrets: storage.control,
  });
  ({ key } = await organizationWithKey(storage, "listening"));
  port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

const json = { "content-type": "application/json" };

function open(headers: Record<string, string | number> = {}): ClientRequest {
  return httpRequest({
    agent: false,
    host: "127.0.0.1",
    port,
    path,
    method: "POST",
    headers: { ...json, "x-api-key": key, ...headers },
  });
}

async function answerTo(request: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("there was no answer");
  return { status: response.statusCode, body: await text(response) };
}

const batch = () => JSON.stringify(batchOf([logEvent()]));
const depth = async () => (await storage.queue.depth(telemetryTopic)).pending;
const openConnections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

describe("over a real connection", () => {
  it("a gzip batch in chunks of one byte is accepted", async () => {
    const request = open({ "content-encoding": "gzip" });
    const answer = answerTo(request);
    for (const byte of gzipSync(batch())) request.write(Buffer.of(byte));
    request.end();
    expect(await answer).toEqual({ status: 202, body: '{"accepted":1,"rejected":[]}' });
  });

  it.each([
    ["that says how long it is", { "content-length": limits.batchBytesMax + 1 }],
    ["that does not", {}],
  ])("a body above 1 MiB %s gets 413, and its client reads the answer", async (_name, headers) => {
    const before = await depth();
    const request = open(headers);
    const answer = answerTo(request);
    request.end(Buffer.alloc(limits.batchBytesMax + 1, " "));
    const { status, body } = await answer;
    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ code: "WHENCE_ERR_BATCH_TOO_LARGE" });
    expect(await depth()).toBe(before);
  });

  it("an unauthenticated request is answered before its body has arrived", async () => {
    const request = open({ "x-api-key": "whk_unknown", "content-length": limits.batchBytesMax });
    const answer = answerTo(request);
    request.flushHeaders();
    expect((await answer).status).toBe(401);
    request.destroy();
  });

  it("a client that disconnects in the middle leaves nothing behind", async () => {
    const before = await depth();
    const request = open({ "content-length": 1_000 });
    request.on("error", () => undefined);
    request.write(batch().slice(0, 100));
    await eventually("the connection", async () => (await openConnections()) > 0);
    request.destroy();
    await eventually("its end", async () => (await openConnections()) === 0);
    expect(await depth()).toBe(before);
  });

  it("slow clients don't delay others", async () => {
    const slow = Array.from({ length: 50 }, () => {
      const request = open({ "content-length": 1_000 });
      request.on("error", () => undefined);
      request.write("{");
      return request;
    });
    await eventually("50 connections", async () => (await openConnections()) >= 50);
    const request = open();
    const answer = answerTo(request);
    request.end(batch());
    expect((await answer).status).toBe(202);
    for (const one of slow) one.destroy();
    await eventually("their end", async () => (await openConnections()) === 0);
  });

  it("an invalid HTTP request doesn't affect the next", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.end("\u0000\u0001 nonsense\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    const request = open();
    const answer = answerTo(request);
    request.end(batch());
    expect((await answer).status).toBe(202);
  });

  it.each([path, "/v1/logs"])("256 KiB in chunks of one byte takes no memory for each of them: %s", async (url) => {
    const sent = batch();
    const body = url === path ? sent + " ".repeat(2 ** 18 - sent.length) : `{}${" ".repeat(2 ** 18 - 2)}`;
    const head = [`POST ${url} HTTP/1.1`, "host: x", `x-api-key: ${key}`, "content-type: application/json"];
    const socket = connect(port, "127.0.0.1");
    const before = process.memoryUsage().rss;
    socket.write(`${[...head, "transfer-encoding: chunked", "connection: close"].join("\r\n")}\r\n\r\n`);
    socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`);
    await once(socket, "readable");
    // A list of the chunks would take some 140 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 2 ** 20);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 20[02] /);
  });
});
