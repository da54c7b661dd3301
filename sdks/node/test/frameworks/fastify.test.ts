import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceFastify } from "../../src/frameworks/fastify.ts";
import { addBreadcrumb, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let app: FastifyInstance;
let base: string;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
  app = fastify();
  app.register(whenceFastify);
  app.post<{ Params: { id: string } }>("/orders/:id", async (request) => {
    addBreadcrumb({ category: "order", message: request.params.id });
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("no stock");
  });
  app.get("/fine", async () => "fine");
  app.get("/strict", { schema: { querystring: { type: "object", required: ["page"] } } }, async () => "fine");
  base = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  await close(1_000);
  await app.close();
  await gateway.close();
});

describe("a Fastify application", () => {
  // requirement: telemetry.request-context
  it("tells of a route's error with method, path, route and redacted headers, and answers as it would", async () => {
    const response = await fetch(`${base}/orders/31?x=1`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: "sid=s3cret" },
      body: '{"a":1}',
    });
    expect(response.status).toBe(500);
    await flush();
    expect(gateway.events("exception")).toMatchObject([
      {
        mechanism: { type: "fastify", handled: true },
        message: "no stock",
        request: { method: "POST", path: "/orders/31", route: "/orders/:id", headers: { cookie: "[redacted]" } },
      },
    ]);
    expect(gateway.events("exception")[0]?.breadcrumbs?.at(-1)).toMatchObject({ category: "order", message: "31" });
  });

  it("tells nothing of a request that was wrong, or fine", async () => {
    expect((await fetch(`${base}/strict`)).status).toBe(400);
    expect(await (await fetch(`${base}/fine`)).text()).toBe("fine");
    await flush();
    expect(gateway.events("exception")).toEqual([]);
  });

  it("serves as ever without a client", async () => {
    await close();
    expect(await (await fetch(`${base}/fine`)).text()).toBe("fine");
  });
});
