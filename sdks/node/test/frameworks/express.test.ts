import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ErrorRequestHandler, Express, Request } from "express";
import express from "express";
import express4 from "express-4";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceErrors, whenceRequests } from "../../src/frameworks/express.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { ask, hangUp, type RawAnswer } from "./raw-request.ts";
import { type Service, serviceOf } from "./service.ts";

let gateway: TestGateway;
let service: Service;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await service.close();
  await gateway.close();
});

/** Returns what arrived, by message and request. */
async function told(): Promise<{ message: string; path?: string | undefined; route?: string | undefined }[]> {
  await flush();
  return gateway.events("exception").map(({ message, request }) => ({
    message,
    path: request?.path,
    route: request?.route,
  }));
}

describe.each([
  ["Express 5", express],
  ["Express 4", express4 as typeof express],
])("%s", (_version, framework) => {
  /** Starts a service with the routes that `add` adds, and an error handler that responds with the error. */
  async function serving(
    add: (app: Express) => void,
    after?: ErrorRequestHandler,
  ): Promise<(path: string, method?: string, body?: string) => Promise<RawAnswer>> {
    const app = framework();
    app.set("env", "test");
    app.use(whenceRequests());
    add(app);
    app.use(whenceErrors());
    const answer: ErrorRequestHandler = (error, _request, response, next) => {
      if (response.headersSent) next(error);
      else response.status(500).send(`host says ${error.message}`);
    };
    app.use(after ?? answer);
    app.use(whenceErrors());
    service = await serviceOf(app, []);
    return (path, method = "GET", body = "") => ask(service.base + path, { method, body });
  }

  const fail = (): never => {
    throw new Error("closed");
  };

  it("doesn't report a bad request because Express prints it, but does report what it prints of a failure", async () => {
    const app = framework();
    app.set("env", "production");
    app.use(whenceRequests());
    app.get("/wrong", () => {
      throw Object.assign(new TypeError("no such order"), { status: 404 });
    });
    app.get("/broken", () => {
      console.error(new Error("disk full"));
      throw Object.assign(new Error("no such user"), { status: 404 });
    });
    app.use(whenceErrors());
    service = await serviceOf(app, []);
    for (const path of ["/wrong", "/broken"]) expect((await ask(service.base + path)).status).toBe(404);
    await flush();
    expect([...gateway.events("exception"), ...gateway.events("log")].map(({ message }) => message)).toEqual([
      "disk full",
    ]);
  });

  it("doesn't report an error about to be answered as a bad request, unless the error says otherwise", async () => {
    const get = await serving((app) => {
      app.get("/wrong", (_request, response) => {
        response.status(400);
        throw new Error("no such order");
      });
      app.get("/broken", (_request, response) => {
        response.status(404);
        throw Object.assign(new Error("disk full"), { status: 503 });
      });
    });
    for (const path of ["/wrong", "/broken"]) await get(path);
    expect((await told()).map(({ message }) => message)).toEqual(["disk full"]);
  });

  it("reports a failure caused by another service rejecting a request, as axios and others express it", async () => {
    const get = await serving((app) => {
      app.get("/refused", () => {
        const response = { status: 401, headers: {}, data: "no such key" };
        throw Object.assign(new Error("Request failed with status code 401"), { status: 401, response });
      });
    });
    expect(await get("/refused")).toMatchObject({ status: 500 });
    expect((await told()).map(({ message }) => message)).toEqual(["Request failed with status code 401"]);
  });

  it("recognizes Express's output of a failure that isn't an error", async () => {
    const app = framework();
    app.set("env", "production");
    app.use(whenceRequests());
    app.get("/text", (_request, _response, next) => next("closed"));
    app.get("/wrong", (_request, _response, next) => next({ status: 404 }));
    app.use(whenceErrors());
    service = await serviceOf(app, []);
    const [text, wrong] = [await ask(`${service.base}/text`), await ask(`${service.base}/wrong`)];
    expect([text.status, wrong.status]).toEqual([500, 404]);
    expect([await told(), gateway.events("log")]).toMatchObject([[{ message: "closed", path: "/text" }], []]);
  });

  it.each([
    ["connect ETIMEDOUT 10.0.0.1:443", { code: "ETIMEDOUT", syscall: "connect" }],
    ["connect ECONNRESET 10.0.0.1:443", { code: "ECONNRESET", syscall: "connect" }],
    ["timeout of 1000ms exceeded", { code: "ECONNABORTED" }],
  ])(
    "records a route's own call that ends with '%s' after its client has disconnected",
    async (message, properties) => {
      const asked = Promise.withResolvers<void>();
      await serving((app) =>
        app.get("/slow", (_request, response, next) => {
          response.on("close", () => next(Object.assign(new Error(message), properties)));
          asked.resolve();
        }),
      );
      await hangUp(`${service.base}/slow`, asked.promise);
      await expect.poll(told).toMatchObject([{ message, path: "/slow" }]);
    },
  );

  it("reports nothing when the client of a file download disconnects", async () => {
    await serving((app) => app.get("/file", (_request, response, next) => response.sendFile(process.execPath, next)));
    await hangUp(`${service.base}/file`, 20);
    expect(await told()).toEqual([]);
  });

  it("records an upload that can't be stored, but not one whose client disconnects", async () => {
    const stored = (request: Request, sink: Writable): Promise<void> => pipeline(request, sink);
    const get = await serving((app) => {
      app.post("/full", (request, _response, next) => {
        const disk = new Writable({ write: (_chunk, _encoding, done) => done(new Error("disk full")) });
        stored(request, disk).catch(next);
      });
      app.post("/gone", (request, response, next) => {
        const disk = new Writable({ write: (_chunk, _encoding, done) => done() });
        stored(request, disk).then(() => response.end(), next);
      });
    });
    await get("/full", "POST", "a file").catch(() => undefined);
    await hangUp(`${service.base}/gone`, 20, "POST");
    expect((await told()).map(({ message }) => message)).toEqual(["disk full"]);
  });

  it.each([
    ["/plain/31", "/plain/:id"],
    ["/shop/7/orders", "/shop/7/orders"],
    ["/shop/7/orders/31", "/shop/7/orders/:id"],
    ["/admin/users/7", "/admin/users/:id"],
    ["/admin/deep/er/7", "/admin/deep/er/:id"],
    ["/shop/7/orders/by/new", "/by/old,/by/new"],
  ])("names the complete route of %s: %s", async (path, route) => {
    const get = await serving((app) => {
      app.get("/plain/:id", fail);
      const orders = framework.Router();
      orders.get("/", fail);
      orders.get("/:id", fail);
      orders.get(["/by/old", "/by/new"], fail);
      app.use("/shop/:shop/orders", orders);
      const admin = framework();
      admin.get("/users/:id", fail);
      const deep = framework.Router();
      deep.use("/er", framework.Router().get("/:id", fail));
      admin.use("/deep", deep);
      app.use("/admin", admin);
    });
    await get(path);
    expect(await told()).toEqual([{ message: "closed", path, route }]);
  });

  it("records an error once that is captured in the route, by the middleware, and by the program's own handler", async () => {
    const get = await serving(
      (app) => {
        app.get("/x", (_request, _response, next) => {
          const error = new Error("thrice");
          captureException(error);
          next(error);
        });
      },
      (error, _request, response, _next) => {
        captureException(error);
        response.status(502).end();
      },
    );
    expect((await get("/x")).status).toBe(502);
    expect(await told()).toEqual([{ message: "thrice", path: "/x", route: "/x" }]);
  });

  it("also records what an error handler throws, when it is added last as well", async () => {
    const get = await serving(
      (app) => app.get("/x", fail),
      (_error, _request, _response, _next) => {
        throw new TypeError("the handler broke");
      },
    );
    expect((await get("/x")).status).toBe(500);
    expect((await told()).map(({ message }) => message)).toEqual(["closed", "the handler broke"]);
  });

  it("records an error after the headers were sent, and one of a HEAD request", async () => {
    const get = await serving((app) => {
      app.get("/started", (_request, response) => {
        response.write("first");
        throw new Error("too late");
      });
      app.head("/x", fail);
    });
    expect((await get("/started")).aborted).toBe(true);
    expect((await get("/x", "HEAD")).status).toBe(500);
    expect((await told()).map(({ message }) => message)).toEqual(["too late", "closed"]);
  });

  it("continues as usual when next is called twice", async () => {
    const get = await serving((app) => {
      app.use((_request, _response, next) => {
        next();
        next();
      });
      app.get("/twice", (_request, response) => {
        if (!response.headersSent) response.send("once");
      });
    });
    expect(await get("/twice")).toMatchObject({ status: 200, body: "once" });
  });
});
