import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A fault between a client and the service: another answer, a broken connection, or silence. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "reset"
  | "silent"
  /** Passes the request on, and breaks the connection after this many bytes of the answer. */
  | { readonly cutAfterBytes: number };

/** The real service behind a proxy with injected faults. */
export interface FaultyService {
  readonly url: string;
  /** Applied in order; then everything passes. */
  readonly faults: Fault[];
  /** The paths of the requests received. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** Starts the proxy on a free port of the loopback interface. */
export async function startFaultyService(target: string): Promise<FaultyService> {
  const faults: Fault[] = [];
  const seen: string[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming.url ?? "");
    const fault = faults.shift();
    if (fault === "silent") return;
    if (fault === "reset") {
      incoming.socket.destroy();
      return;
    }
    if (fault && "status" in fault) {
      incoming.resume();
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    pass(target, incoming, response, fault?.cutAfterBytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  cutAfterBytes = Number.POSITIVE_INFINITY,
): void {
  const { method = "GET", url = "/", headers } = incoming;
  const outgoing = request(target + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    let bytes = 0;
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      response.write(chunk, () => {
        if (bytes > cutAfterBytes) response.destroy();
      });
    });
    answer.on("end", () => response.end());
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}
