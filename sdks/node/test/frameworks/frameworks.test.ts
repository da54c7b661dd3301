import { Agent } from "node:http";
import hapi from "@hapi/hapi";
import { serve } from "@hono/node-server";
import type { TelemetryEvent } from "@whence/protocol";
import express from "express";
import express4 from "express-4";
import fastify from "fastify";
import fastify4 from "fastify-4";
import hapi20 from "hapi-20";
import { serve as serve1 } from "hono-node-server-1";
import Koa from "koa";
import Koa2 from "koa-2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { expressFramework } from "./apps/express.ts";
import { fastifyFramework } from "./apps/fastify.ts";
import { hapiFramework } from "./apps/hapi.ts";
import { honoFramework } from "./apps/hono.ts";
import { httpFramework } from "./apps/http.ts";
import { koaFramework } from "./apps/koa.ts";
import { nestOnExpress, nestOnFastify } from "./apps/nestjs.ts";
import { ask, hangUp, type RawAnswer } from "./raw-request.ts";
import type { Framework, Service } from "./service.ts";

/** An older version with the types of the newer one; the services use only what both have. */
const older = <Newer>(module: unknown, _like: Newer): Newer => module as Newer;

const frameworks: readonly Framework[] = [
  expressFramework("Express 5", express),
  expressFramework("Express 4", older(express4, express)),
  fastifyFramework("Fastify 5", fastify),
  fastifyFramework("Fastify 4", older(fastify4, fastify)),
  koaFramework("Koa 3", Koa),
  koaFramework("Koa 2", older(Koa2, Koa)),
  hapiFramework("hapi 21", hapi),
  hapiFramework("hapi 20", older(hapi20, hapi)),
  honoFramework("Hono on @hono/node-server 2", serve),
  honoFramework("Hono on @hono/node-server 1", older(serve1, serve)),
  nestOnExpress,
  nestOnFastify,
  httpFramework,
];

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

/** Does everything that a client may do to a service, one after another. */
async function visit({ base, told }: Service): Promise<{ answers: RawAnswer[]; told: string[] }> {
  const json = { "content-type": "application/json" };
  const answers = [
    // First, since the service may notice a broken body some time after the client.
    await ask(`${base}/stream`),
    await ask(`${base}/fine`),
    await ask(`${base}/fine`, { method: "HEAD" }),
    await ask(`${base}/fine`, { method: "OPTIONS" }),
    await ask(`${base}/missing`),
    await ask(`${base}/api/orders/31?token=abc`, { method: "POST", headers: json, body: "{}" }),
    await ask(`${base}/api/orders/32`, { method: "POST", headers: json, body: "no json" }),
    await ask(`${base}/captured`),
    await ask(`${base}/wrong`),
    await ask(`${base}/unavailable`),
    await ask(`${base}/text`),
  ];
  return { answers, told };
}

/** Returns what routes recorded. This client's own requests are recorded outside of any. */
function ownTrail(event: TelemetryEvent | undefined): string[] {
  const own = event?.breadcrumbs?.filter(({ category }) => category !== "http") ?? [];
  return own.map(({ category, message }) => `${category} ${message}`);
}

describe.each(frameworks)("$name", ({ name, mechanism, start }) => {
  let service: Service;

  beforeEach(async () => {
    init({ apiKey: "k", endpoint: gateway.url });
    service = await start(true);
  });
  afterEach(() => service.close());

  const isRouted = name !== "node:http";

  // requirement: telemetry.request-context
  it("records a route's error with method, path, route, redacted headers, trace and its own breadcrumbs", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const headers = {
      "content-type": "application/json",
      authorization: "Bearer s3cret",
      "x-shop": "north",
      traceparent,
    };
    await ask(`${service.base}/api/orders/31?token=abc`, { method: "POST", headers, body: '{"a":1}' });
    await flush();
    const [event, ...others] = gateway.events("exception");
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      level: "error",
      message: "no stock of 31",
      mechanism: { type: mechanism, handled: true },
      request: {
        method: "POST",
        path: "/api/orders/31",
        headers: { authorization: "[redacted]", "x-shop": "north" },
      },
      trace: { trace_id: "0af7651916cd43dd8448eb211c80319c" },
    });
    expect(event?.request?.route?.replace("{id}", ":id")).toBe(isRouted ? "/api/orders/:id" : undefined);
    expect(ownTrail(event)).toEqual(["order 31", "stock 31"]);
  });

  it("records an error once that the route captured already", async () => {
    await ask(`${service.base}/captured`);
    await flush();
    const events = gateway.events("exception");
    expect(events).toMatchObject([{ mechanism: { type: "captureException" }, request: { path: "/captured" } }]);
    expect(events[0]?.request?.route).toBe(isRouted ? "/captured" : undefined);
  });

  it("records an error of status 503, and a thrown value that isn't an error", async () => {
    await ask(`${service.base}/unavailable`);
    await ask(`${service.base}/text`);
    await flush();
    expect(gateway.events("exception").map(({ request }) => request?.path)).toEqual(["/unavailable", "/text"]);
    expect(gateway.events("exception")[0]?.message).toBe("closed for today");
  });

  it("records no bad request, no successful one, and none whose client disconnected", async () => {
    for (const method of ["GET", "HEAD", "OPTIONS"]) await ask(`${service.base}/fine`, { method });
    await ask(`${service.base}/wrong`);
    await ask(`${service.base}/missing`);
    await hangUp(`${service.base}/hang`, 50);
    await hangUp(`${service.base}/hang`, 0);
    if (isRouted) await hangUp(`${service.base}/api/orders/31`, 20, "POST");
    await flush();
    expect(gateway.events("exception").map(({ message, request }) => `${request?.path} ${message}`)).toEqual([]);
  });

  it("keeps the breadcrumbs of requests separate, concurrently and on the same connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    const ids = Array.from({ length: 40 }, (_, index) => `${index}`);
    const order = { method: "POST", agent, headers: { "content-type": "application/json" }, body: "{}" };
    await Promise.all(ids.map((id) => ask(`${service.base}/api/orders/${id}`, order)));
    agent.destroy();
    await flush();
    const trails = gateway.events("exception").map((event) => [event.message, ...ownTrail(event)]);
    expect(trails.sort()).toEqual(ids.map((id) => [`no stock of ${id}`, `order ${id}`, `stock ${id}`]).sort());
  });

  it("responds as without the client, and passes the same to the program's own handler", async () => {
    const watched = await visit(service);
    const plain = await start(false);
    await close();
    expect(watched).toEqual(await visit(plain));
    await plain.close();
  });

  it("works as usual once the client is closed", async () => {
    const watched = await visit(service);
    await close();
    service.told.length = 0;
    expect((await visit(service)).answers).toEqual(watched.answers);
  });
});
