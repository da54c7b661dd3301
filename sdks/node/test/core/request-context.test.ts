import { AsyncResource } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import type { TelemetryEvent } from "@whence/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceListener } from "../../src/frameworks/http.ts";
import { addBreadcrumb, captureException, close, flush, init } from "../../src/index.ts";
import { ask } from "../frameworks/raw-request.ts";
import { type Service, serviceOf } from "../frameworks/service.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";
import { eventually } from "../polling.ts";

let gateway: TestGateway;
let service: Service | undefined;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await service?.close();
  service = undefined;
  await gateway.close();
});

/** Starts a server that calls `serve` with the last part of each path. */
async function serving(
  serve: (name: string, response: ServerResponse, incoming: IncomingMessage) => unknown,
): Promise<string> {
  const listener: RequestListener = (incoming, response) => {
    serve(incoming.url?.slice(1) ?? "", response, incoming);
  };
  service = await serviceOf(whenceListener(listener), []);
  return service.base;
}

/** Sends a request without `node:http`, so that this file's own breadcrumbs don't push out those of the process. */
async function knock(base: string, path: string): Promise<void> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
}

/** Returns the messages of an event's breadcrumbs, without this file's own requests. */
function messages({ breadcrumbs = [] }: TelemetryEvent): (string | undefined)[] {
  return breadcrumbs.filter(({ category }) => category !== "http").map(({ message }) => message);
}

const step = (message: string): void => addBreadcrumb({ category: "step", message });

/** Ways to continue later. Each calls `done` in its original context. */
const laters: readonly ((done: () => void) => void)[] = [
  (done) => setTimeout(done, 1),
  (done) => setImmediate(done),
  (done) => process.nextTick(done),
  (done) => queueMicrotask(done),
  (done) => void Promise.resolve().then(done),
  (done) => {
    const emitter = new EventEmitter();
    emitter.once("done", done);
    setImmediate(() => emitter.emit("done"));
  },
  (done) => void new Response("text").text().then(done),
];

const later = (how: number): Promise<void> => new Promise((resolve) => laters[how % laters.length]?.(resolve));

describe("the breadcrumbs of a request", () => {
  // requirement: telemetry.exception-breadcrumbs
  it("stay separate in 200 concurrent requests, whatever they wait for, and follow earlier ones of the process", async () => {
    step("started");
    const plans = fc.sample(fc.array(fc.nat(laters.length - 1), { minLength: 1, maxLength: 12 }), 200);
    const base = await serving(async (name, response) => {
      const plan = plans[Number(name)] ?? [];
      for (const [index, how] of plan.entries()) {
        step(`${name}.${index}`);
        await later(how);
      }
      captureException(new Error(name));
      response.end();
    });
    await Promise.all(plans.map((_, index) => knock(base, `/${index}`)));
    await flush();
    const trails = new Map(gateway.events("exception").map((event) => [event.message, messages(event)]));
    const expected = plans.map((plan, name): [string, string[]] => [
      `${name}`,
      ["started", ...plan.map((_, index) => `${name}.${index}`)],
    ]);
    expect(trails).toEqual(new Map(expected));
  });

  it("are its own on a connection that served another request before", async () => {
    const base = await serving((name, response) => {
      step(name);
      captureException(new Error(name));
      response.end(name);
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const name of ["first", "second", "third"]) await ask(`${base}/${name}`, { agent });
    agent.destroy();
    await flush();
    expect(gateway.events("exception").map(messages)).toEqual([["first"], ["second"], ["third"]]);
  });

  it("are still its own after the response", async () => {
    const base = await serving((name, response) => {
      step("answered");
      response.end();
      setTimeout(() => {
        step("later");
        captureException(new Error(name));
      }, 20);
    });
    await ask(`${base}/one`);
    await eventually(() => {
      void flush();
      return gateway.events("exception").length === 1;
    });
    expect(gateway.events("exception").map(messages)).toEqual([["answered", "later"]]);
  });

  it("are its own while it streams a response, and when it is aborted", async () => {
    const base = await serving(async (name, response) => {
      response.write("head");
      step("streaming");
      await once(response, "close");
      captureException(new Error(name));
    });
    const outgoing = request(`${base}/stream`);
    outgoing.end();
    const [response] = await once(outgoing, "response");
    response.on("error", () => undefined);
    outgoing.destroy();
    await eventually(() => {
      void flush();
      return gateway.events("exception").length === 1;
    });
    expect(gateway.events("exception").map(messages)).toEqual([["streaming"]]);
    expect(gateway.events("exception")[0]?.request?.path).toBe("/stream");
  });

  it("are its own on an upgraded connection", async () => {
    const server = createServer();
    server.on(
      "upgrade",
      whenceListener((incoming: IncomingMessage, socket: import("node:stream").Duplex) => {
        step("upgraded");
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        setImmediate(() => captureException(new Error(incoming.url)));
      }),
    );
    const port = await listen(server);
    const outgoing = request({ port, path: "/socket?key=1", headers: { connection: "Upgrade", upgrade: "echo" } });
    outgoing.end();
    const [, socket] = await once(outgoing, "upgrade");
    socket.destroy();
    await flush();
    await closeServer(server);
    expect(gateway.events("exception")).toMatchObject([{ message: "/socket?key=1", request: { path: "/socket" } }]);
    expect(gateway.events("exception").map(messages)).toEqual([["upgraded"]]);
  });

  it("follow it through a pool of shared connections when the pool binds waiting work", async () => {
    const pool = { waiting: [] as (() => void)[], isBusy: false };
    const query = (done: () => void): void => {
      pool.waiting.push(AsyncResource.bind(done));
      if (pool.isBusy) return;
      pool.isBusy = true;
      setImmediate(() => {
        pool.isBusy = false;
        for (const next of pool.waiting.splice(0)) next();
      });
    };
    const base = await serving((name, response) => {
      query(() => {
        step(name);
        captureException(new Error(name));
        response.end();
      });
    });
    await Promise.all(["a", "b", "c"].map((name) => ask(`${base}/${name}`)));
    await flush();
    const trails = gateway.events("exception").map((event) => [event.message, ...messages(event)]);
    expect(trails.sort()).toEqual(["a", "b", "c"].map((name) => [name, name]));
  });
});

describe("an error", () => {
  it("is one event of its request, wherever it is captured", async () => {
    const ids: (string | undefined)[] = [];
    const base = await serving((_name, response) => {
      const error = new Error("once");
      ids.push(captureException(error), captureException(error));
      response.end();
    });
    await ask(`${base}/one`);
    await flush();
    expect(gateway.events("exception").map(({ id }) => id)).toEqual([ids[0]]);
    expect(ids[1]).toBe(ids[0]);
  });

  it("that a program throws as a constant is one event in each request", async () => {
    const constant = new Error("always the same");
    const base = await serving((_name, response) => {
      captureException(constant);
      captureException(constant);
      response.end();
    });
    await ask(`${base}/one`);
    await ask(`${base}/two`);
    await flush();
    expect(gateway.events("exception").map(({ request: of }) => of?.path)).toEqual(["/one", "/two"]);
  });

  it("captured twice outside of any request is two events", async () => {
    const constant = new Error("again");
    captureException(constant);
    captureException(constant);
    await flush();
    expect(gateway.events("exception")).toHaveLength(2);
  });
});
