import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions } from "node:tls";
import { parseJson, secondMs } from "@whence/protocol";
import type { Dispatcher } from "undici";
import type { z } from "zod";
import type { OutboundContext } from "../outbound-context.ts";
import { isBoundedJson, wellFormedJson } from "./bounded-json.ts";
import { type GuardedAgent, openGuardedAgent } from "./guarded-agent.ts";
import { AddressRefused } from "./guarded-lookup.ts";
import { retryAfterMs } from "./retry-after.ts";
import { VendorFailure } from "./vendor-failure.ts";
import { vendorLimits } from "./vendor-limits.ts";

export type VendorMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request to a vendor, relative to its base URL. */
export interface VendorRequest<Body> {
  readonly method?: VendorMethod;
  /**
   * Whether sending it twice would have its effect twice; then it isn't retried when it is unknown whether it arrived.
   */
  readonly isUnrepeatable?: boolean | undefined;
  /** Relative to the base URL, with a leading slash. Encode text from outside. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Maximum bytes of the response; `vendorLimits.answerBytesMax` by default. */
  readonly bytesMax?: number;
  /** The documented response. */
  readonly schema: z.ZodType<Body>;
}

/** A vendor's HTTP API. Every rejection is a {@link VendorFailure}, unless the caller's signal fired. */
export interface VendorHttp {
  json<Body>(asked: VendorRequest<Body>, signal: AbortSignal): Promise<VendorAnswer<Body>>;
  /** Returns a response as text, for a library that parses it. */
  text(asked: Omit<VendorRequest<never>, "schema">, signal: AbortSignal): Promise<VendorAnswer<string>>;
  /**
   * Returns lines of a response that may never end: those that came before `linesMax`, the time, or the bytes were used
   * up.
   */
  lines(asked: Omit<VendorRequest<never>, "schema">, linesMax: number, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface VendorAnswer<Body> {
  readonly body: Body;
  /** By lowercase name; for paging. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface VendorHttpOptions extends OutboundContext {
  /** In messages: `PagerDuty`. */
  readonly vendor: string;
  readonly baseUrl: URL;
  /** In PEM format, for a server with a private certificate authority or client certificates. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername">;
  /** Sent with each request; credentials belong here. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns how long to wait after a rate limit, by the vendor's own headers; null when they don't say. `Retry-After`
   * is read in any case.
   */
  readonly retryAfterMs?: (headers: Readonly<Record<string, string>>, now: number, status: number) => number | null;
  /** Statuses of refusals whose body is parsed like that of a success, for vendors that explain the problem in it. */
  readonly answeredStatuses?: readonly number[];
  /** Returns whether a response signals a rate limit, for vendors that use a status other than 429. */
  readonly isRateLimited?: (status: number, headers: Readonly<Record<string, string>>, body: string) => boolean;
  /** The meaning of some refusals and what to do about them, where that isn't to reconnect with read access. */
  readonly refusals?: Partial<Record<RefusalReason, Refusal>>;
}

type RefusalReason = "unauthorized" | "forbidden" | "not-found";

interface Refusal {
  /** Follows the vendor's name. */
  readonly what: string;
  readonly advice: string;
}

const refusalReasons = new Map<number, RefusalReason>([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not-found"],
  [410, "not-found"],
]);
const refusalsByDefault: Readonly<Record<RefusalReason, Refusal>> = {
  unauthorized: { what: "rejected the credentials", advice: "connect it again with valid ones" },
  forbidden: { what: "doesn't let these credentials read this", advice: "give them read access" },
  "not-found": { what: "has nothing at this address", advice: "check the entered address" },
};

/**
 * Opens a client that connects only to checked addresses, follows redirects only within the same origin, and limits
 * time, attempts, and bytes.
 */
export function openVendorHttp(options: VendorHttpOptions): VendorHttp {
  const { mayReach, tls } = options;
  const agent = openGuardedAgent({ mayReach, tls, connectionsMax: vendorLimits.connectionsMax });
  const client = new VendorClient(options, agent);
  return {
    json: (asked, signal) => client.json(asked, signal),
    text: (asked, signal) => client.text(asked, signal),
    lines: (asked, linesMax, signal) => client.lines(asked, linesMax, signal),
    close: () => agent.close(),
  };
}

interface Sent {
  readonly method?: VendorMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

class VendorClient {
  readonly #options: VendorHttpOptions;
  readonly #agent: GuardedAgent;

  constructor(options: VendorHttpOptions, agent: GuardedAgent) {
    this.#options = options;
    this.#agent = agent;
  }

  async json<Body>(asked: VendorRequest<Body>, signal: AbortSignal): Promise<VendorAnswer<Body>> {
    const { vendor } = this.#options;
    return this.#answered(asked, signal, async ({ body, headers }) => {
      const text = await readBounded(body, asked.bytesMax ?? vendorLimits.answerBytesMax, vendor);
      if (!isBoundedJson(text)) throw unexpected(vendor, "JSON of more levels or values than any documented answer");
      const parsed = asked.schema.safeParse(parseJson(wellFormedJson(text)));
      if (!parsed.success) throw unexpected(vendor, "an answer of another shape than documented");
      return { body: parsed.data, headers: plainHeaders(headers) };
    });
  }

  async text(asked: Omit<VendorRequest<never>, "schema">, signal: AbortSignal): Promise<VendorAnswer<string>> {
    return this.#answered(asked, signal, async ({ body, headers }) => {
      return {
        body: await readBounded(body, asked.bytesMax ?? vendorLimits.answerBytesMax, this.#options.vendor),
        headers: plainHeaders(headers),
      };
    });
  }

  async lines(
    asked: Omit<VendorRequest<never>, "schema">,
    linesMax: number,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#answered(asked, signal, ({ body }, own) => readLines(body, linesMax, own));
  }

  async #answered<Value>(
    asked: Omit<VendorRequest<never>, "schema">,
    signal: AbortSignal,
    read: (answer: Dispatcher.ResponseData, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(asked, signal, read);
      } catch (error) {
        signal.throwIfAborted();
        const failure = this.#failureOf(error);
        const wait = failure.retryAfterMs ?? vendorLimits.backOffMs * 2 ** (attempt - 1);
        const isTransient =
          failure.reason === "rate-limited" || (failure.reason === "unavailable" && !asked.isUnrepeatable);
        if (!isTransient || attempt >= vendorLimits.triesMax || wait > vendorLimits.retryAfterMaxMs) throw failure;
        await delay(wait, undefined, { signal });
      }
    }
  }

  async #once<Value>(
    asked: Omit<VendorRequest<never>, "schema">,
    signal: AbortSignal,
    read: (answer: Dispatcher.ResponseData, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const own = AbortSignal.any([signal, AbortSignal.timeout(vendorLimits.requestTimeoutMs)]);
    const { headers: common, baseUrl } = this.#options;
    const body = asked.json === undefined ? undefined : JSON.stringify(asked.json);
    let sent: Sent = {
      method: asked.method ?? "GET",
      url: urlBelow(baseUrl, asked),
      headers: {
        accept: "application/json",
        "user-agent": "Whence/1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...common,
        ...asked.headers,
      },
      body,
    };
    for (let redirects = 0; ; redirects += 1) {
      const { method = "GET", url, headers } = sent;
      const answer = await this.#agent.request(url, { method, headers, body: sent.body ?? null, signal: own });
      // An abandoned body emits an error once it is no longer read.
      answer.body.on("error", () => undefined);
      const target = this.#redirectOf(answer, sent, redirects);
      if (target === null) {
        await this.#requireSuccess(answer);
        return await read(answer, own);
      }
      await answer.body.dump();
      sent = { ...sent, url: target };
    }
  }

  /**
   * Returns where a redirect leads if the same request can be repeated there; never another origin, which would get the
   * credentials.
   */
  #redirectOf(answer: Dispatcher.ResponseData, { method, url }: Sent, redirects: number): URL | null {
    const { statusCode, headers } = answer;
    if (![301, 302, 307, 308].includes(statusCode)) return null;
    const target = URL.parse(String(headers.location ?? ""), url);
    // RFC 9110: only 307 and 308 keep the method and the body.
    const isSame = method === "GET" || statusCode === 307 || statusCode === 308;
    if (target?.origin === url.origin && isSame && redirects < vendorLimits.redirectsMax) return target;
    throw unexpected(this.#options.vendor, `a redirect to ${target?.origin ?? "nowhere"}: enter that address instead`);
  }

  async #requireSuccess({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<void> {
    if (statusCode >= 200 && statusCode < 300) return;
    const { vendor, answeredStatuses = [], isRateLimited } = this.#options;
    const plain = plainHeaders(headers);
    if (answeredStatuses.includes(statusCode) && !isRateLimited?.(statusCode, plain, "")) return;
    // A refusal counts even when its body is cut off.
    const text = await readBounded(body, vendorLimits.refusalBytesMax, vendor).catch(() => "");
    throw this.#refusal(statusCode, plain, text);
  }

  #refusal(status: number, headers: Readonly<Record<string, string>>, body: string): VendorFailure {
    const { vendor, isRateLimited, refusals } = this.#options;
    const wait = () => this.#waitOf(headers, status);
    if (status === 429 || isRateLimited?.(status, headers, body))
      return new VendorFailure("rate-limited", `${vendor} limits the rate of requests (${status})`, wait());
    const reason = refusalReasons.get(status);
    if (reason) {
      const { what, advice } = refusals?.[reason] ?? refusalsByDefault[reason];
      return new VendorFailure(reason, `${vendor} ${what} (${status}): ${advice}`);
    }
    if (status >= 500) return new VendorFailure("unavailable", `${vendor} failed (${status})`, wait());
    return unexpected(vendor, `status ${status}`);
  }

  #waitOf(headers: Readonly<Record<string, string>>, status: number): number | null {
    const { clock, retryAfterMs: ownWait } = this.#options;
    return ownWait?.(headers, clock(), status) ?? retryAfterMs(headers["retry-after"], clock());
  }

  #failureOf(error: unknown): VendorFailure {
    const { vendor } = this.#options;
    if (error instanceof VendorFailure) return error;
    if (error instanceof AddressRefused) return new VendorFailure("refused-address", error.message);
    if (error instanceof Error && (error.name === "TimeoutError" || error.name === "HeadersTimeoutError")) {
      return new VendorFailure(
        "too-slow",
        `${vendor} did not answer within ${vendorLimits.requestTimeoutMs / secondMs} seconds`,
      );
    }
    const cause = error instanceof Error && error.cause instanceof AddressRefused ? error.cause : null;
    if (cause) return new VendorFailure("refused-address", cause.message);
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
    return new VendorFailure("unavailable", `${vendor} can't be reached${code}`);
  }
}

function urlBelow(baseUrl: URL, { path, query = {} }: Pick<VendorRequest<never>, "path" | "query">): URL {
  const url = new URL(baseUrl.href.replace(/\/+$/, "") + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) url.searchParams.append(name, String(one));
  }
  return url;
}

async function readBounded(body: AsyncIterable<Buffer>, bytesMax: number, vendor: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw unexpected(vendor, `more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Ends without an error when the time is up: what came by then is used. */
async function readLines(
  body: AsyncIterable<Buffer>,
  linesMax: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let [rest, bytes] = ["", 0];
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.filter((part) => part.trim() !== ""));
      if (lines.length >= linesMax || bytes > vendorLimits.listBytesMax) return lines.slice(0, linesMax);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return (rest.trim() === "" ? lines : [...lines, rest]).slice(0, linesMax);
}

function plainHeaders(headers: Dispatcher.ResponseData["headers"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
}

function unexpected(vendor: string, what: string): VendorFailure {
  return new VendorFailure("unexpected-answer", `${vendor} answered with ${what}`);
}
