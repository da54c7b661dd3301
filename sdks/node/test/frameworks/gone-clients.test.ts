import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whenceErrors, whenceRequests } from "../../src/frameworks/express.ts";
import { whenceHono } from "../../src/frameworks/hono.ts";
import { close, flush, init } from "../../src/index.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
/** A service that never answers. */
let upstream: Server;
let upstreamUrl: string;

beforeEach(async () => {
  gateway = await startGateway();
  upstream = createServer();
  upstreamUrl = `http://127.0.0.1:${await listen(upstream)}`;
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await closeServer(upstream);
  await gateway.close();
});

/** Sends a request, and disconnects once the other service has been called. */
async function hangUp(port: number): Promise<void> {
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  const asked = once(upstream, "request");
  client.write("GET /orders HTTP/1.1\r\nhost: shop\r\n\r\n");
  await asked;
  client.destroy();
}

async function failures(): Promise<string[]> {
  await flush();
  return [...gateway.events("exception"), ...gateway.events("log")].map(({ message }) => message);
}

it("work that a route aborts because its client has disconnected didn't fail, but other aborted work did", async () => {
  const app = express();
  app.use(whenceRequests());
  app.get("/orders", async (_request, response) => {
    const controller = new AbortController();
    response.on("close", () => controller.abort());
    await fetch(upstreamUrl, { signal: controller.signal });
  });
  app.get("/given-up", async () => {
    await fetch(upstreamUrl, { signal: AbortSignal.abort() });
  });
  app.use(whenceErrors());
  const ended = Promise.withResolvers<void>();
  app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
    response.end();
    ended.resolve();
  });
  const server = createServer(app);
  const port = await listen(server);
  await hangUp(port);
  await ended.promise;
  expect(await failures()).toEqual([]);
  await fetch(`http://127.0.0.1:${port}/given-up`);
  expect(await failures()).toEqual(["This operation was aborted"]);
  await closeServer(server);
});

it("nor did work aborted by Hono's own signal, which throws a string", async () => {
  const ended = Promise.withResolvers<void>();
  const app = new Hono();
  app.use(whenceHono());
  app.get("/orders", async (context) => {
    try {
      return await fetch(upstreamUrl, { signal: context.req.raw.signal });
    } finally {
      // After the client has had time to record a failure.
      setImmediate(ended.resolve);
    }
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  await hangUp(typeof address === "object" && address ? address.port : 0);
  await ended.promise;
  expect(await failures()).toEqual([]);
  server.close();
});
