import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Storage } from "@whence/storage";
import Fastify, { type FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gatewayRoutes } from "../src/app.ts";
import { type GatewayMetrics, gatewayMetrics } from "../src/metrics.ts";
import { batchOf, logEvent } from "./batches.ts";
import { eventually } from "./eventually.ts";
import { openTestStorage, organizationWithKey, path, send } from "./test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let metrics: GatewayMetrics;
let key: string;
beforeAll(async () => {
  storage = await openTestStorage();
  ({ key } = await organizationWithKey(storage, "slow"));
  metrics = gatewayMetrics(new Registry());
  const { keys, usage } = storage.control;
  // Shorter than the server's. Node applies the longer of the two to the whole request, so both are set.
  app = Fastify({ requestTimeout: 1_000, http: { headersTimeout: 500, connectionsCheckingInterval: 100 } });
  await app.register(gatewayRoutes({ queue: storage.queue, keys, usage, secrets: storage.control, metrics }));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

const requestsUnderWay = async () => (await metrics.requestsUnderWay.get()).values[0]?.value;

/** Sends a byte of a long body every 50 ms. */
function trickle(): Socket {
  const address = app.server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  const head = [`POST ${path} HTTP/1.1`, "host: x", `x-api-key: ${key}`, "content-type: application/json"];
  socket.write(`${[...head, "content-length: 5000"].join("\r\n")}\r\n\r\n`);
  const timer = setInterval(() => socket.write(" "), 50);
  // The server may reset it while it is still sending.
  socket.on("error", () => undefined).on("close", () => clearInterval(timer));
  return socket;
}

it("a client that trickles its body is disconnected and frees its place, while others are served", async () => {
  const slow = Array.from({ length: 20 }, trickle);
  const closed = slow.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
  const answers = slow.map((socket) => text(socket).catch(() => ""));
  await eventually("all of them", async () => (await requestsUnderWay()) === 20);
  expect((await send(app, key, batchOf([logEvent()]))).statusCode).toBe(202);
  await Promise.all(closed);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^(HTTP\/1\.1 (408|503) |$)/);
  await eventually("their places", async () => (await requestsUnderWay()) === 0);
  expect((await send(app, key, batchOf([logEvent()]))).statusCode).toBe(202);
});
