import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import {
  type Batch,
  batchSchema,
  type SentFilesRequest,
  sentFilesRequestSchema,
  type TelemetryEvent,
} from "@whence/protocol";

/** A scripted response of a test gateway. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The delay before the response, in milliseconds. */
  readonly afterMs?: number;
}

/** A real HTTP server in place of the gateway: validates every batch, and responds as scripted. */
export interface TestGateway {
  readonly url: string;
  /** The batches that were answered with 2xx. */
  readonly batches: Batch[];
  /** Every posted batch, accepted or not. */
  readonly posts: { readonly headers: IncomingHttpHeaders; readonly path: string; readonly batch: Batch }[];
  /** The requests with files of the program. */
  readonly files: SentFilesRequest[];
  /** The answers to these, used in order; then 202. */
  readonly fileAnswers: (Omit<ScriptedAnswer, "afterMs"> & { readonly after?: Promise<unknown> })[];
  /** Used in order; then 202. */
  readonly answers: ScriptedAnswer[];
  /** The maximum number of concurrent requests. */
  readonly openAtOnce: number;
  /** Returns all events of the accepted batches. */
  events(type?: TelemetryEvent["type"]): TelemetryEvent[];
  close(): Promise<void>;
}

/** Starts a gateway on a free port of the loopback interface. */
export async function startGateway(): Promise<TestGateway> {
  const batches: Batch[] = [];
  const posts: TestGateway["posts"] = [];
  const answers: ScriptedAnswer[] = [];
  const files: SentFilesRequest[] = [];
  const fileAnswers: TestGateway["fileAnswers"] = [];
  const open = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on("close", () => {
      open.now -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString();
      if (request.url === "/api/telemetry/sources") {
        files.push(sentFilesRequestSchema.parse(JSON.parse(text)));
        const { status, headers, after } = fileAnswers.shift() ?? { status: 202 };
        void Promise.resolve(after).then(() => response.writeHead(status, headers).end('{"stored":1}'));
        return;
      }
      const batch = batchSchema.parse(JSON.parse(text));
      posts.push({ headers: request.headers, path: request.url ?? "", batch });
      const answer = answers.shift() ?? { status: 202, body: '{"accepted":0,"rejected":[]}' };
      if (answer.status >= 200 && answer.status < 300) batches.push(batch);
      setTimeout(() => {
        response.writeHead(answer.status, answer.headers).end(answer.body);
      }, answer.afterMs ?? 0);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    batches,
    posts,
    files,
    fileAnswers,
    answers,
    get openAtOnce() {
      return open.most;
    },
    events: (type) =>
      batches.flatMap((batch) => batch.events).filter((event) => type === undefined || event.type === type),
    close: () => closeServer(server),
  };
}

/** Listens on a free port of the loopback interface and returns it. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Closes a server and the connections that clients keep open. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}
