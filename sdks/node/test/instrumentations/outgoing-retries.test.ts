import { createServer, type Server } from "node:http";
import { Agent, interceptors, request } from "undici-8";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let upstream: Server;
let base: string;
/** The trace of each request that reached the other service. */
let traces: string[];

beforeEach(async () => {
  traces = [];
  gateway = await startGateway();
  upstream = createServer((incoming, response) => {
    traces.push(String(incoming.headers.traceparent).slice(3, 35));
    const isFirst = traces.length === 2;
    if (isFirst && incoming.url === "/broken") incoming.socket.destroy();
    else if (isFirst && incoming.url === "/busy") response.writeHead(503).end();
    else if (isFirst && incoming.url === "/moved") response.writeHead(302, { location: "/here" }).end();
    else response.end("ok");
  });
  base = `http://127.0.0.1:${await listen(upstream)}`;
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await closeServer(upstream);
  await gateway.close();
});

it.each(["busy", "broken", "moved"])(
  "undici's repeated request when a resource is %s belongs to the same request, wherever the connection was opened",
  async (path) => {
    const dispatcher = new Agent({ connections: 1 }).compose(
      interceptors.redirect({ maxRedirections: 1 }),
      interceptors.retry({ minTimeout: 1, timeoutFactor: 1 }),
    );
    const ask = whenceJob("ask", async (url: string) => {
      await (await request(url, { dispatcher })).body.text();
      captureException(new Error(url));
    });
    await ask(`${base}/other`);
    await ask(`${base}/${path}`);
    await dispatcher.destroy();
    await flush();
    const [other, own] = gateway.events("exception");
    expect(traces).toEqual([other?.trace?.trace_id, own?.trace?.trace_id, own?.trace?.trace_id]);
    expect(other?.breadcrumbs).toHaveLength(1);
    expect(own?.breadcrumbs).toHaveLength(2);
  },
);
