import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";

/** A request as the double got it. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface VendorAnswerOf {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
}

/** A double of a vendor: answers each path in the vendor's documented format, and keeps what it was asked. */
export interface VendorServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** What answers from now on; it may also write to the response itself and return nothing. */
  answer(handle: (request: ReceivedRequest, response: ServerResponse) => VendorAnswerOf | undefined): void;
  /** What a connection to the double needs; `documented` addresses lead here. */
  readonly context: OutboundContext;
  close(): Promise<void>;
}

export async function startVendorServer(now = Date.parse("2026-03-01T12:00:00.000Z")): Promise<VendorServer> {
  const requests: ReceivedRequest[] = [];
  let handle: Parameters<VendorServer["answer"]>[0] = () => ({ status: 404 });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", headers } = incoming;
      const body = Buffer.concat(chunks).toString("utf8");
      const request = { method, headers, body, url: new URL(incoming.url ?? "", "http://double") };
      requests.push(request);
      const answer = handle(request, response);
      if (!answer) return;
      const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    answer: (next) => {
      handle = next;
    },
    context: {
      mayReach: addressGuard(["127.0.0.0/8"]),
      clock: () => now,
      addressOf: (documented) => url + new URL(documented).pathname,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the double listens on no port");
  return address;
}
