import { AsyncLocalStorage } from "node:async_hooks";
import type { Request, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { BreadcrumbRing } from "./breadcrumbs.ts";
import { type Headers, type Redaction, redactHeaders } from "./redact.ts";
import { trimText } from "./text.ts";
import { randomHex } from "./uuid.ts";

/** The least that is needed of an incoming request. Node's `IncomingMessage` has it. */
export interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express keeps the whole URL here while a router rewrites `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: Headers;
}

/** What one request of the host's server is remembered by. Everything that costs is made when it is first asked for. */
export interface RequestContext {
  readonly incoming: IncomingRequest;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The pattern of the route that serves it, once the framework has found one. */
  readonly route: () => string | undefined;
  /** Breadcrumbs recorded while it was served; other requests never see them. */
  ring?: BreadcrumbRing;
  trace?: Trace;
}

/** A place in a distributed trace (W3C Trace Context): `traceId` is shared by all services that serve one request. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hex digits; bit 0 says that the caller samples. */
  readonly flags: string;
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const sampled = "01";

/** Which request the running code serves. */
export class RequestContexts {
  readonly #current = new AsyncLocalStorage<RequestContext>();
  readonly #byRequest = new WeakMap<object, RequestContext>();

  /** The request that the running code serves. */
  current(): RequestContext | undefined {
    return this.#current.getStore();
  }

  /** The context of a request seen before, wherever the running code came from. */
  of(incoming: object): RequestContext | undefined {
    return this.#byRequest.get(incoming);
  }

  /** Remembers a request; the same one twice has one context. */
  open(incoming: IncomingRequest, startedAt: number, route: () => string | undefined): RequestContext {
    const known = this.#byRequest.get(incoming);
    if (known) return known;
    const context: RequestContext = { incoming, startedAt, route };
    this.#byRequest.set(incoming, context);
    return context;
  }

  /** Runs `serve`, and whatever it starts, as part of serving this request. What it throws is thrown. */
  run<Result>(context: RequestContext, serve: () => Result): Result {
    return this.#current.getStore() === context ? serve() : this.#current.run(context, serve);
  }
}

/** The ring of this request. */
export function ringOf(context: RequestContext): BreadcrumbRing {
  context.ring ??= new BreadcrumbRing();
  return context.ring;
}

/** The request as an event carries it: its path without the query string, its headers redacted. */
export function describeRequest(context: RequestContext, redaction: Redaction): Request {
  const { incoming } = context;
  const route = context.route();
  const url = incoming.originalUrl ?? incoming.url ?? "";
  const [path = ""] = url.split("?", 1);
  return {
    method: trimText(incoming.method ?? "", limits.textLengthMax),
    path: trimText(path, limits.textLengthMax),
    ...(route === undefined ? {} : { route: trimText(route, limits.textLengthMax) }),
    headers: redactHeaders(incoming.headers, redaction),
  };
}

/** The trace that a request is part of: its caller's, or one that begins here. */
export function traceOf(context: RequestContext): Trace {
  context.trace ??= startTrace(context.incoming.headers.traceparent);
  return context.trace;
}

/** The `traceparent` for what this request asks of others. */
export function traceparentOf(context: RequestContext): string {
  const { traceId, spanId, flags } = traceOf(context);
  return `00-${traceId}-${spanId}-${flags}`;
}

/** A trace as an event carries it. */
export function toWireTrace({ traceId, spanId }: Trace): NonNullable<TelemetryEvent["trace"]> {
  return { trace_id: traceId, span_id: spanId };
}

function startTrace(header: string | readonly string[] | undefined): Trace {
  const [, traceId, , flags] = (typeof header === "string" && traceparent.exec(header)) || [];
  return { traceId: traceId ?? randomHex(16), spanId: randomHex(8), flags: flags ?? sampled };
}
