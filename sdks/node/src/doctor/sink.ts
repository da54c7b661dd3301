import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** An intercepted batch, and its destination. */
export interface Intercepted {
  readonly endpoint: string;
  readonly apiKey: string;
  readonly batch: {
    readonly service?: unknown;
    readonly env?: unknown;
    readonly release?: unknown;
    readonly events: unknown[];
  };
}

/** A stand-in for the server, so that nothing leaves the machine. */
export interface Sink {
  readonly address: string;
  readonly intercepted: Intercepted[];
  /** Resolves once the canaries have arrived. */
  readonly planted: Promise<void>;
  close(): void;
}

/** Listens on a free port of the loopback interface. */
export async function openSink(): Promise<Sink> {
  const intercepted: Intercepted[] = [];
  let done: () => void = () => undefined;
  const planted = new Promise<void>((resolve) => {
    done = resolve;
  });
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const [, place = "", ...rest] = (request.url ?? "").split("/");
      if (request.url === "/planted") done();
      else if (rest.join("/").startsWith("api/telemetry/events")) {
        const { "x-api-key": apiKey = "" } = request.headers;
        intercepted.push({ endpoint: decodeURIComponent(place), apiKey: String(apiKey), batch: JSON.parse(body) });
      }
      response.writeHead(202, { "content-type": "application/json" }).end('{"accepted":0,"rejected":[]}');
    });
  });
  const port = await listen(server);
  return { address: `http://127.0.0.1:${port}`, intercepted, planted, close: () => void server.close() };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  server.unref();
  return port;
}
