import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { stopWhenIdle } from "../process/idle-exit.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { cancelableLookup } from "./dns-lookup.ts";
import { untraced } from "./untraced.ts";

/** A response of the service. */
export interface HttpResponse {
  readonly status: number;
  /** The `Retry-After` header, unparsed. */
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** A peer that was reached, so that a dying process needs no name resolution. */
export interface Peer {
  readonly address: string;
  readonly family: number;
}

type HttpModule = Pick<typeof import("node:http"), "Agent" | "request">;

/** Node 18 and 20 try only one address, or give each too little time. */
const agentOptions = {
  keepAlive: true,
  maxSockets: 1,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: sdkLimits.addressTimeoutMs,
  lookup: cancelableLookup,
};

/** Thrown when a kept-alive connection turns out to be closed. */
class StaleConnectionError extends Error {}

/** Returns the URL for batches: `path` below the endpoint's own path. */
export function batchUrl(endpoint: string): URL {
  return new URL("api/telemetry/events", endpoint.endsWith("/") ? endpoint : `${endpoint}/`);
}

/**
 * Posts batches over one connection, and files over another, for which no batch waits. They never keep the event loop
 * alive.
 */
export class HttpSender {
  readonly url: URL;
  readonly filesUrl: URL;
  readonly headers: Readonly<Record<string, string>>;
  #http: HttpModule | undefined;
  #agent: Agent | undefined;
  #filesAgent: Agent | undefined;
  #peer: Peer | undefined;

  constructor(endpoint: string, apiKey: string) {
    this.url = batchUrl(endpoint);
    this.filesUrl = new URL("sources", this.url);
    this.headers = { "content-type": "application/json", "x-api-key": apiKey };
  }

  /** The peer of the last connection. */
  get peer(): Peer | undefined {
    return this.#peer;
  }

  /** Whether a request of this process is one of ours. */
  owns(request: object): boolean {
    const agent: unknown = Reflect.get(request, "agent");
    return agent !== undefined && (agent === this.#agent || agent === this.#filesAgent);
  }

  /**
   * Sends one POST, compressed when that pays off. Rejects when no response arrived within {@link
   * sdkLimits.requestTimeoutMs}.
   */
  async post(json: Buffer, url: URL = this.url): Promise<HttpResponse> {
    const { body, encoding } = await compress(json);
    const http = this.#load();
    const agent = this.#agentFor(http, url);
    const headers = { ...this.headers, ...encoding, "content-length": String(body.length) };
    const exchange = (): Promise<HttpResponse> => untraced(() => this.#exchange(http, url, { agent, headers }, body));
    return await exchange().catch((error: unknown) => {
      // The server closed the kept-alive connection just when it was used, which says nothing about the server.
      if (error instanceof StaleConnectionError) return exchange();
      throw error;
    });
  }

  #exchange(http: HttpModule, url: URL, options: RequestOptions, body: Buffer): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = http.request(url, { ...options, method: "POST" }, (response) => {
        isAnswered = true;
        readAnswer(response).then(resolve, reject);
      });
      request.on("error", (error) => reject(isStale(request, error) ? new StaleConnectionError() : error));
      request.on("close", () => {
        // Node silently drops a response that would switch protocols.
        if (!isAnswered) reject(new Error("closed without an answer"));
      });
      this.#bound(request);
      request.end(body);
    });
  }

  /** Closes the connections. */
  close(): void {
    this.#agent?.destroy();
    this.#filesAgent?.destroy();
  }

  /** Loads the module on first use, so that a program that never sends doesn't pay for it. */
  #load(): HttpModule {
    const http: HttpModule = this.#http ?? loadBuiltin(this.url.protocol === "https:" ? "node:https" : "node:http");
    this.#http = http;
    return http;
  }

  #agentFor(http: HttpModule, url: URL): Agent {
    const agent = (url === this.filesUrl ? this.#filesAgent : this.#agent) ?? new http.Agent(agentOptions);
    if (url === this.filesUrl) this.#filesAgent = agent;
    else this.#agent = agent;
    return agent;
  }

  #bound(request: ClientRequest): void {
    const timeout = nativeTimers.setTimeout(
      () => request.destroy(timedOut(sdkLimits.requestTimeoutMs)),
      sdkLimits.requestTimeoutMs,
    );
    const connecting = nativeTimers.setTimeout(
      () => request.destroy(timedOut(sdkLimits.connectTimeoutMs)),
      sdkLimits.connectTimeoutMs,
    );
    timeout.unref();
    connecting.unref();
    request.on("close", () => {
      nativeTimers.clearTimeout(timeout);
      nativeTimers.clearTimeout(connecting);
    });
    request.on("socket", (socket) => {
      socket.unref();
      const connected = (): void => {
        nativeTimers.clearTimeout(connecting);
        if (socket.remoteAddress) {
          this.#peer = { address: socket.remoteAddress, family: socket.remoteFamily === "IPv6" ? 6 : 4 };
        }
      };
      if (!socket.connecting) {
        connected();
        return;
      }
      const endWatch = stopWhenIdle(() => request.destroy(new Error("the program has nothing else to do")));
      request.once("close", endWatch);
      socket.once("connect", () => {
        endWatch();
        connected();
      });
    });
  }
}

function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function timedOut(ms: number): Error {
  return new Error(`no answer within ${ms} ms`);
}

async function compress(json: Buffer): Promise<{ body: Buffer; encoding: Record<string, string> }> {
  if (json.length < sdkLimits.gzipFromBytes) return { body: json, encoding: {} };
  const { gzip }: typeof import("node:zlib") = loadBuiltin("node:zlib");
  return await new Promise((resolve, reject) => {
    gzip(json, { level: 1 }, (error, compressed) => {
      if (error) reject(error);
      else resolve({ body: compressed, encoding: { "content-encoding": "gzip" } });
    });
  });
}

async function readAnswer(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > sdkLimits.answerBytesMax) break;
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], body };
}
