import { createServer, type Server } from "node:http";
import express, { type ErrorRequestHandler } from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceErrors, whenceRequests } from "../../src/frameworks/express.ts";
import { addBreadcrumb, captureException, close, flush, init } from "../../src/index.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let server: Server;
let base: string;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
  const app = express();
  app.use(whenceRequests());
  app.use(express.json());
  const orders = express.Router();
  orders.post("/:id", async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    addBreadcrumb({ category: "order", message: request.params.id });
    throw new Error("no stock");
  });
  app.use("/orders", orders);
  const shop = express.Router();
  const fail = (): never => {
    throw new Error("closed");
  };
  shop.get("/", fail);
  shop.get("/:id", fail);
  app.use("/shop/:shop/orders", shop);
  app.get("/plain/:id", fail);
  app.get("/captured", () => {
    const error = new Error("captured before");
    captureException(error);
    throw error;
  });
  app.get("/teapot", () => {
    throw Object.assign(new Error("short and stout"), { status: 418 });
  });
  app.get("/fine", (_request, response) => {
    response.send("fine");
  });
  app.use(whenceErrors());
  const answer: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).send(`host says ${error.message}`);
  };
  app.use(answer);
  server = createServer(app);
  base = `http://127.0.0.1:${await listen(server)}`;
});
afterEach(async () => {
  await close(1_000);
  await closeServer(server);
  await gateway.close();
});

describe("an Express application", () => {
  // requirement: telemetry.request-context
  it("tells of a route's error with method, path, route and redacted headers, and answers as it would", async () => {
    const response = await fetch(`${base}/orders/31?token=abc`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer s3cret", "x-shop": "north" },
      body: "{}",
    });
    expect([response.status, await response.text()]).toEqual([500, "host says no stock"]);
    await flush();
    const [event] = gateway.events("exception");
    expect(event).toMatchObject({
      level: "error",
      mechanism: { type: "express", handled: true },
      request: {
        method: "POST",
        path: "/orders/31",
        route: "/orders/:id",
        headers: { authorization: "[redacted]", "x-shop": "north" },
      },
    });
    expect(event?.breadcrumbs?.at(-1)).toMatchObject({ category: "order", message: "31" });
    expect(event?.trace?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ["/shop/7/orders", "/shop/7/orders"],
    ["/shop/7/orders/31", "/shop/7/orders/:id"],
    ["/plain/31", "/plain/:id"],
  ])("names the route of %s %s", async (path, route) => {
    await fetch(base + path);
    await flush();
    expect(gateway.events("exception")[0]?.request).toMatchObject({ path, route });
  });

  it("tells of an error once when the route captured it already", async () => {
    await fetch(`${base}/captured`);
    await flush();
    expect(gateway.events("exception")).toMatchObject([
      { mechanism: { type: "captureException" }, request: { path: "/captured", route: "/captured" } },
    ]);
  });

  it("tells nothing of a request that was wrong, or fine", async () => {
    expect((await fetch(`${base}/teapot`)).status).toBe(418);
    expect(await (await fetch(`${base}/fine`)).text()).toBe("fine");
    await flush();
    expect(gateway.events("exception")).toEqual([]);
  });

  it("serves as ever without a client", async () => {
    await close();
    expect(await (await fetch(`${base}/fine`)).text()).toBe("fine");
    expect(await (await fetch(`${base}/orders/1`, { method: "POST" })).text()).toBe("host says no stock");
  });
});
