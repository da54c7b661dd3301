import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Batch, batchSchema } from "@whence/protocol";

/** A batch, and when it came. Milliseconds since 1970. */
export interface ReceivedBatch {
  readonly receivedAt: number;
  readonly batch: Batch;
}

/** Stands where the gateway would: takes what clients send. */
export class Sink implements AsyncDisposable {
  readonly received: ReceivedBatch[] = [];
  readonly #server: Server;

  private constructor(now: () => number, hostFolders: RegExp) {
    this.#server = createServer(async (request, response) => {
      const body = await buffer(request);
      const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
      const batch = batchSchema.safeParse(JSON.parse(text.replaceAll(hostFolders, "/srv/")));
      if (batch.success) this.received.push({ receivedAt: now(), batch: batch.data });
      const accepted = { accepted: batch.data?.events.length ?? 0, rejected: [] };
      response.writeHead(202, { "content-type": "application/json" }).end(JSON.stringify(accepted));
    });
  }

  /** Opens it; a path that matches `hostFolders` is that of a host's folder, whose code lies in `/srv` there. */
  static async open(now: () => number, hostFolders: RegExp): Promise<Sink> {
    const sink = new Sink(now, hostFolders);
    sink.#server.listen(0, "127.0.0.1");
    await once(sink.#server, "listening");
    return sink;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
