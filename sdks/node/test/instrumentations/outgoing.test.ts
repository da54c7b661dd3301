import { createServer, get, request, type Server } from "node:http";
import { httpBreadcrumbDataSchema, type TelemetryEvent } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceRequests } from "../../src/frameworks/express.ts";
import { addBreadcrumb, captureException, close, flush, init } from "../../src/index.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let upstream: Server;
let base: string;
/** The headers of the requests that reached the other service. */
let seen: Record<string, unknown>[];

beforeEach(async () => {
  seen = [];
  gateway = await startGateway();
  upstream = createServer((incoming, response) => {
    seen.push(incoming.headers);
    if (incoming.url === "/hang-up") incoming.socket.destroy();
    else response.writeHead(incoming.url?.startsWith("/missing") ? 404 : 200).end("ok");
  });
  base = `http://127.0.0.1:${await listen(upstream)}`;
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await closeServer(upstream);
  await gateway.close();
});

/** Returns the data of the breadcrumbs of an event captured now. */
async function trailNow(): Promise<unknown[]> {
  captureException(new Error("now"));
  await flush();
  return (lastException().breadcrumbs ?? []).map(({ category, data }) => {
    expect(category).toBe("http");
    return httpBreadcrumbDataSchema.parse(data);
  });
}

function lastException(): TelemetryEvent {
  const event = gateway.events("exception").at(-1);
  if (!event) throw new Error("no exception arrived");
  return event;
}

function httpGet(url: string): Promise<string> {
  return new Promise((resolve) => {
    get(url, (response) => response.resume().on("end", () => resolve(String(response.statusCode)))).on(
      "error",
      (error) => resolve(error.message),
    );
  });
}

describe("an outgoing request", () => {
  // requirement: telemetry.http-breadcrumbs
  // requirement: telemetry.free-text-unredacted
  it.each([
    ["http", (url: string): Promise<unknown> => httpGet(url)],
    ["fetch", (url: string): Promise<unknown> => fetch(url).then((response) => response.text())],
  ])("by %s is a breadcrumb with its method, unchanged URL, status code, and duration", async (_how, ask) => {
    await ask(`${base}/missing?token=abc`);
    expect(await trailNow()).toEqual([
      { method: "GET", url: `${base}/missing?token=abc`, status_code: 404, duration_ms: expect.any(Number) },
    ]);
  });

  it("with a body is one, too", async () => {
    await new Promise((resolve) => {
      request(`${base}/orders`, { method: "POST" }, (response) => response.resume().on("end", resolve)).end("body");
    });
    expect(await trailNow()).toMatchObject([{ method: "POST", url: `${base}/orders`, status_code: 200 }]);
  });

  it("whose connection is closed has the error", async () => {
    await httpGet(`${base}/hang-up`);
    expect(await trailNow()).toMatchObject([{ error: "socket hang up", error_code: "ECONNRESET" }]);
  });

  it("that can't connect has the error", async () => {
    const gone = createServer();
    const port = await listen(gone);
    await closeServer(gone);
    await httpGet(`http://127.0.0.1:${port}/`);
    await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    expect(await trailNow()).toMatchObject([{ error_code: "ECONNREFUSED" }, { error_code: "ECONNREFUSED" }]);
  });

  it("of the client itself isn't a breadcrumb", async () => {
    captureException(new Error("one"));
    await flush();
    expect(await trailNow()).toEqual([]);
  });

  it("keeps its caller's error handling", async () => {
    const response = new Promise((_resolve, reject) => {
      get(`${base}/hang-up`).on("error", reject);
    });
    await expect(response).rejects.toThrow("socket hang up");
  });
});

describe("a request being served", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const incoming = { method: "GET", url: "/orders?x=1", headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } };
  const serve = (headers: Record<string, string>, run: () => Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      whenceRequests()({ ...incoming, headers }, {}, () => void run().then(resolve, reject));
    });

  it("propagates its caller's trace to the services it calls", async () => {
    await serve(incoming.headers, async () => {
      await httpGet(`${base}/a`);
      await (await fetch(`${base}/b`)).text();
      captureException(new Error("inside"));
    });
    await flush();
    const event = lastException();
    expect(event.trace?.trace_id).toBe(traceId);
    const expected = `00-${traceId}-${event.trace?.span_id}-01`;
    expect(seen.map(({ traceparent }) => traceparent)).toEqual([expected, expected]);
  });

  it("starts a trace when its caller sent none, or an invalid one", async () => {
    await serve({ traceparent: "nonsense" }, async () => captureException(new Error("inside")));
    await flush();
    expect(lastException().trace?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("keeps a trace that the program propagates itself", async () => {
    await serve({}, async () => {
      await fetch(base, { headers: { traceparent: "mine" } });
      await new Promise((resolve) => {
        get(base, { headers: { traceparent: "mine" } }, (response) => response.resume().on("end", resolve));
      });
    });
    expect(seen.map(({ traceparent }) => traceparent)).toEqual(["mine", "mine"]);
  });

  it("never carries another request's breadcrumbs", async () => {
    addBreadcrumb({ category: "start", message: "connected" });
    const one = async (name: string): Promise<void> => {
      for (let turn = 0; turn < 5; turn++) {
        addBreadcrumb({ category: "step", message: name });
        await httpGet(`${base}/${name}`);
      }
      captureException(new Error(name));
    };
    await Promise.all(["a", "b", "c"].map((name) => serve({}, () => one(name))));
    await flush();
    for (const event of gateway.events("exception")) {
      const trail = event.breadcrumbs ?? [];
      expect(trail).toHaveLength(11);
      expect(trail[0]?.message).toBe("connected");
      const others = trail.slice(1).filter(({ message, data }) => {
        const from = message ?? String(data?.url).split("/").at(-1);
        return from !== event.message;
      });
      expect(others).toEqual([]);
    }
  });

  it("keeps its breadcrumbs out of events outside of it", async () => {
    await serve({}, async () => addBreadcrumb({ category: "step", message: "inside" }));
    expect(await trailNow()).toEqual([]);
  });
});
