import "reflect-metadata";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import Boom from "@hapi/boom";
import hapi from "@hapi/hapi";
import {
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type INestApplication,
  Module,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import fastify from "fastify";
import Koa from "koa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceFastify } from "../../src/frameworks/fastify.ts";
import { whenceHapi } from "../../src/frameworks/hapi.ts";
import { whenceListener } from "../../src/frameworks/http.ts";
import { whenceKoa } from "../../src/frameworks/koa.ts";
import { whenceNest } from "../../src/frameworks/nestjs.ts";
import { whenceRequestError } from "../../src/frameworks/nextjs.ts";
import { addBreadcrumb, captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { ask } from "./raw-request.ts";
import { brokenStream, serviceOf } from "./service.ts";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

async function told(): Promise<string[]> {
  await flush();
  return gateway.events("exception").map(({ message, request }) => `${message} at ${request?.path}`);
}

/** Returns failures reported without a request: a framework's output of a failure isn't another one. */
async function printed(): Promise<string[]> {
  await flush();
  return gateway.events("log").map(({ message }) => message);
}

describe("node:http2", () => {
  it("reports the path of a request without its query string, including in the headers", async () => {
    const server = createServer(
      whenceListener((_request: Http2ServerRequest, response: Http2ServerResponse) => {
        captureException(new Error("closed"));
        response.end();
      }),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const session = connect(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
    await once(session.request({ ":path": "/orders?token=abc", "x-shop": "north" }).resume(), "end");
    session.close();
    server.close();
    expect(await told()).toEqual(["closed at /orders"]);
    const { headers } = gateway.events("exception")[0]?.request ?? {};
    expect(headers).toMatchObject({ ":method": "GET", "x-shop": "north" });
    expect(JSON.stringify(headers)).not.toContain("token");
  });
});

describe("Next.js", () => {
  it.each([
    ["render", "/orders/[id]", "/orders/[id]"],
    ["action", "/orders/[id]/page", "/orders/[id]"],
    ["action", "/page", "/"],
    ["render", "/page", "/page"],
  ])("names the route of what fails in a %s at %s: %s", async (routeType, routePath, route) => {
    const request = { path: "/orders/31?token=abc", method: "POST", headers: { host: "shop" } };
    whenceRequestError(new Error("closed"), request, { routePath, routeType });
    expect(await told()).toEqual(["closed at /orders/31"]);
    expect(gateway.events("exception")[0]?.request?.route).toBe(route);
  });
});

describe("NestJS", () => {
  class OutOfStock extends Error {}

  class Routes {
    sold(): never {
      throw new OutOfStock("sold out");
    }
    broken(): never {
      throw Object.assign(new Error("the other service said no"), { status: 404 });
    }
  }
  for (const name of ["sold", "broken"] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(Routes.prototype, name);
    if (descriptor) Get(name)(Routes.prototype, name, descriptor);
  }
  Controller()(Routes);
  class App {}
  Module({ controllers: [Routes] })(App);

  class StockFilter implements ExceptionFilter {
    catch(_error: OutOfStock, host: import("@nestjs/common").ArgumentsHost): void {
      host.switchToHttp().getResponse().status(409).send("sold out");
    }
  }
  Catch(OutOfStock)(StockFilter);

  async function serving(prepare: (app: INestApplication) => void): Promise<INestApplication> {
    const app = await NestFactory.create(App, { logger: false });
    prepare(app);
    await app.listen(0, "127.0.0.1");
    return app;
  }

  it("leaves a failure to the program's filter for it, when that is asked first", async () => {
    const app = await serving((created) => {
      whenceNest(created);
      created.useGlobalFilters(new StockFilter());
    });
    expect((await ask(`${await app.getUrl()}/sold`)).status).toBe(409);
    await app.close();
    expect(await told()).toEqual([]);
  });

  it("sees what that filter handles when it is asked later, and changes nothing for it", async () => {
    const app = await serving((created) => {
      created.useGlobalFilters(new StockFilter());
      whenceNest(created);
    });
    expect((await ask(`${await app.getUrl()}/sold`)).status).toBe(409);
    await app.close();
    expect(await told()).toEqual(["sold out at /sold"]);
  });

  it("records errors of middleware on Fastify, and the route of what runs after it", async () => {
    const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false });
    whenceNest(app);
    app.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
      addBreadcrumb({ category: "middleware", message: request.url ?? "" });
      next(request.url === "/nowhere" ? new Error("no session store") : undefined);
    });
    await app.listen(0, "127.0.0.1");
    for (const path of ["/nowhere", "/broken"]) expect((await ask((await app.getUrl()) + path)).status).toBe(500);
    await app.close();
    const failures = ["no session store at /nowhere", "the other service said no at /broken"];
    expect(await told()).toEqual(failures);
    const [, broken] = gateway.events("exception");
    expect(broken?.request?.route).toBe("/broken");
    expect(broken?.breadcrumbs?.filter(({ category }) => category === "middleware")).toMatchObject([
      { message: "/broken" },
    ]);
  });

  it("records errors of guards, and errors whose status Nest ignores", async () => {
    const guard: CanActivate = {
      canActivate: (context) => {
        if (context.switchToHttp().getRequest().url === "/sold") throw new Error("no session store");
        return true;
      },
    };
    const app = await serving((created) => {
      created.useGlobalGuards(guard);
      whenceNest(created);
    });
    expect((await ask(`${await app.getUrl()}/sold`)).status).toBe(500);
    expect((await ask(`${await app.getUrl()}/broken`)).status).toBe(500);
    await app.close();
    expect(await told()).toEqual(["no session store at /sold", "the other service said no at /broken"]);
  });
});

describe("Fastify", () => {
  it("records errors of hooks, but no bad requests", async () => {
    const app = fastify();
    await app.register(whenceFastify);
    app.addHook("preHandler", async (request) => {
      if (request.url === "/hook") throw new Error("no session store");
    });
    app.get("/hook", async () => "never");
    app.get("/gone", async (_request, reply) => {
      reply.code(410);
      throw new Error("no such order");
    });
    app.get("/strict", { schema: { querystring: { type: "object", required: ["page"] } } }, async () => "fine");
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    expect((await ask(`${base}/hook`)).status).toBe(500);
    expect((await ask(`${base}/strict`)).status).toBe(400);
    expect((await ask(`${base}/gone`)).status).toBe(410);
    await app.close();
    expect(await told()).toEqual(["no session store at /hook"]);
  });
});

describe("Fastify with its logger", () => {
  it("reports a thrown string once", async () => {
    const app = fastify({ logger: { stream: { write: () => undefined } } });
    await app.register(whenceFastify);
    app.get("/text", async () => {
      throw "out of stock";
    });
    expect((await app.inject("/text")).statusCode).toBe(500);
    await app.close();
    expect([await told(), await printed()]).toEqual([["out of stock at /text"], []]);
  });
});

describe("hapi", () => {
  it("records errors of an authentication scheme, of a later extension, and of injected requests", async () => {
    const server = hapi.server({ debug: false });
    await server.register(whenceHapi);
    server.auth.scheme("broken", () => ({
      authenticate: () => {
        throw new Error("no session store");
      },
    }));
    server.auth.strategy("broken", "broken");
    server.ext("onPreResponse", (request, h) => {
      if (request.path === "/late") throw new Error("the extension broke");
      return h.continue;
    });
    server.route({ method: "GET", path: "/closed", options: { auth: "broken" }, handler: () => "never" });
    server.route({ method: "GET", path: "/late", handler: () => "replaced" });
    expect((await server.inject("/closed")).statusCode).toBe(500);
    expect((await server.inject("/late")).statusCode).toBe(500);
    expect(await told()).toEqual(["no session store at /closed", "the extension broke at /late"]);
  });

  it("reports what hapi prints on its own once", async () => {
    const server = hapi.server();
    await server.register(whenceHapi);
    const handler = (): never => {
      throw Boom.badImplementation("no such table");
    };
    server.route({ method: "GET", path: "/broken", handler });
    expect((await server.inject("/broken")).statusCode).toBe(500);
    expect([await told(), await printed()]).toEqual([["no such table at /broken"], []]);
  });

  it("records a body that breaks off, and failures after the response was sent", async () => {
    const server = hapi.server({ host: "127.0.0.1" });
    await server.register(whenceHapi);
    server.ext("onPostResponse", (request, h) => {
      if (request.path === "/after") throw new Error("the extension broke");
      return h.continue;
    });
    server.route({ method: "GET", path: "/after", handler: () => "fine" });
    server.route({ method: "GET", path: "/stream", handler: (_request, h) => h.response(brokenStream()) });
    await server.start();
    expect((await ask(`${server.info.uri}/stream`)).aborted).toBe(true);
    expect((await ask(`${server.info.uri}/after`)).status).toBe(200);
    await server.stop();
    const failures = ["the stream broke at /stream", "the extension broke at /after"];
    expect([await told(), await printed()]).toEqual([failures, []]);
  });
});

describe("Koa", () => {
  it("records once what Koa prints without a listener", async () => {
    const app = new Koa();
    app.use(whenceKoa());
    app.use(() => {
      throw new Error("closed");
    });
    const service = await serviceOf(app.callback(), []);
    expect(await ask(`${service.base}/x`)).toMatchObject({ status: 500 });
    await service.close();
    expect([await told(), await printed()]).toEqual([["closed at /x"], []]);
  });

  it.each([
    ["Koa", undefined],
    ["the program", (error: Error) => console.error(error.message, error)],
  ])("records a body that breaks off, but no bad request, when %s prints them", async (_who, print) => {
    const app = new Koa();
    app.use(whenceKoa());
    if (print) app.on("error", print);
    app.use((context) => {
      if (context.path === "/wrong") throw Object.assign(new Error("no JSON"), { status: 400 });
      context.body = brokenStream();
    });
    const service = await serviceOf(app.callback(), []);
    expect(await ask(`${service.base}/wrong`)).toMatchObject({ status: 400 });
    expect(await ask(`${service.base}/stream`)).toMatchObject({ status: 200, aborted: true });
    await service.close();
    expect([await told(), await printed()]).toEqual([["the stream broke at /stream"], []]);
  });

  it("records what the program's own handler emits, and prints what Koa prints without a listener", async () => {
    const app = new Koa();
    app.use(whenceKoa());
    app.use(async (context, next) => {
      try {
        await next();
      } catch (error) {
        context.status = 503;
        context.body = "later";
        context.app.emit("error", error, context);
      }
    });
    app.use(() => {
      throw new Error("closed");
    });
    const printed: unknown[] = [];
    const { error: print } = console;
    console.error = (...words: unknown[]) => printed.push(...words);
    const service = await serviceOf(app.callback(), []);
    expect(await ask(`${service.base}/x`)).toMatchObject({ status: 503, body: "later" });
    console.error = print;
    await service.close();
    expect(printed.map(String).join("")).toContain("Error: closed");
    expect(await told()).toEqual(["closed at /x"]);
  });
});
