import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as outgoing, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Watched, watchedSchema } from "@whence/protocol";
import { z } from "zod";
import { freePort } from "../../test/servers/free-port.ts";

/** The part of a batch that is counted. */
const batchSchema = z.object({
  service: z.string(),
  events: z.array(
    z.object({
      ...{ type: z.string(), level: z.string(), timestamp: z.string(), message: z.string() },
      watched: watchedSchema.optional(),
    }),
  ),
});

/** An error reported by a service. */
export interface ReportedError {
  readonly service: string;
  readonly at: number;
  readonly message: string;
  /** What was seen at watched places; null where nothing was. */
  readonly watched: Watched | null;
}

/**
 * A proxy between the shop and the service. It forwards everything unchanged and records the errors of each service, as
 * a dashboard that counts them would show.
 */
export class TelemetryTap implements AsyncDisposable {
  readonly #errors = new Map<string, ReportedError[]>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #target: URL;
  readonly port: number;
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.destroy());
  });

  private constructor(target: string, port: number) {
    this.#target = new URL(target);
    this.port = port;
  }

  static async open(target: string): Promise<TelemetryTap> {
    const tap = new TelemetryTap(target, await freePort());
    tap.#server.listen(tap.port, "127.0.0.1");
    await once(tap.#server, "listening");
    return tap;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the errors sent with this key, oldest first by the sender's clock. */
  errorsOf(apiKey: string): readonly ReportedError[] {
    return (this.#errors.get(apiKey) ?? []).toSorted((left, right) => left.at - right.at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, "close");
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.#count(request, body);
    const { hostname, port } = this.#target;
    const onward = outgoing({
      agent: this.#agent,
      ...{ hostname, port, path: request.url, method: request.method, headers: request.headers },
    });
    onward.end(body);
    const [answer]: IncomingMessage[] = await once(onward, "response");
    response.writeHead(answer?.statusCode ?? 502, answer?.headers);
    answer?.pipe(response);
  }

  #count(request: IncomingMessage, body: Buffer): void {
    const key = String(request.headers["x-api-key"]);
    const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    const batch = batchSchema.safeParse(text.length === 0 ? undefined : JSON.parse(text.toString()));
    if (!batch.success) return;
    const { service, events } = batch.data;
    const bad = events.filter(({ level }) => level === "error" || level === "critical");
    const errors = bad.map(({ timestamp, message, watched = null }) => ({
      ...{ service, at: Date.parse(timestamp), message, watched },
    }));
    this.#errors.set(key, [...(this.#errors.get(key) ?? []), ...errors]);
  }
}
