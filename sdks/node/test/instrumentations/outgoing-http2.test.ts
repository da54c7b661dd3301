import { once } from "node:events";
import { connect, createServer, type Http2Server, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { httpBreadcrumbDataSchema } from "@whence/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let upstream: Http2Server;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  upstream.close();
  await close(1_000);
  await gateway.close();
});

/** Returns the breadcrumb of a call that is answered with these headers. */
async function breadcrumbOf(answer: OutgoingHttpHeaders) {
  upstream = createServer();
  upstream.on("stream", (stream: ServerHttp2Stream) => stream.respond(answer, { endStream: true }));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const address = upstream.address();
  const session = connect(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  await once(session.request({ ":method": "POST", ":path": "/shop.Stock/Take" }).resume(), "close");
  session.close();
  captureException(new Error("now"));
  await flush();
  const [breadcrumb] = gateway.events("exception")[0]?.breadcrumbs ?? [];
  return httpBreadcrumbDataSchema.parse(breadcrumb?.data);
}

it.each([
  [{ "grpc-status": "9", "grpc-message": "no stock" }, "grpc-status 9: no stock"],
  [{ "grpc-status": "13" }, "grpc-status 13"],
  [{ "grpc-status": "0" }, undefined],
  [{}, undefined],
])("of a gRPC call answered with %j has the error %j", async (headers, error) => {
  const breadcrumb = await breadcrumbOf({ ":status": 200, ...headers });
  expect([breadcrumb.status_code, breadcrumb.error]).toEqual([200, error]);
});
