import { AsyncLocalStorage } from "node:async_hooks";
import type { Request, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { attachment } from "../runtime/attachment.ts";
import { trimText } from "../runtime/text.ts";
import { BreadcrumbRing } from "./breadcrumbs.ts";
import type { FactScope } from "./fact-scope.ts";
import { IdleConnections } from "./idle-connections.ts";
import { activeSpan } from "./open-telemetry.ts";
import { type Headers, type Redaction, redactHeaders } from "./redact.ts";
import { readTraceparent, startTrace, type Trace } from "./trace.ts";

/** The part of an incoming request that the client uses. Node's `IncomingMessage` has it. */
export interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express keeps the whole URL here while a router rewrites `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: Headers;
}

/** One unit of work: a request to the program's server, or a job. Expensive parts are created on first use. */
export interface RequestContext {
  /** Absent for a job. */
  incoming: IncomingRequest | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Returns the pattern of the route that serves it, once the framework has found one. */
  route: (incoming: IncomingRequest) => string | undefined;
  /**
   * The context that started it, while that is alive: a failure in a job is also one of the request that runs the job.
   */
  readonly within?: WeakRef<RequestContext> | undefined;
  /** Facts for each of its events. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** The facts that the program set: user, tags, and contexts. */
  scope?: FactScope | undefined;
  /** Breadcrumbs recorded during it; other requests never see them. */
  ring?: BreadcrumbRing | undefined;
  trace?: Trace;
  /** The error it failed with, if that isn't a failure of the service. */
  passedOver?: unknown;
}

/** Learns when requests and jobs begin, and when requests have been answered. Must not throw. */
export interface RequestObserver {
  begin(context: RequestContext): void;
  end(context: RequestContext): void;
}

/** Tracks which request the running code serves. */
export class RequestContexts {
  readonly #clock: () => number;
  readonly #current = new AsyncLocalStorage<RequestContext>();
  readonly #byRequest = attachment<RequestContext>();
  readonly #idle = new IdleConnections<RequestContext>(release);
  /** The request that an error is being thrown out of, until it is caught or ends the program. */
  #thrownOutOf: RequestContext | undefined;
  observer: RequestObserver | undefined;

  /** `clock` returns milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Returns the request that the running code serves. */
  current(): RequestContext | undefined {
    return this.#current.getStore();
  }

  /** Returns the context of a known request, whatever the running code serves. */
  of(incoming: object): RequestContext | undefined {
    return this.#byRequest.of(incoming);
  }

  /** Returns the request that the uncaught error was thrown out of, for handlers that run outside of any request. */
  thatThrew(): RequestContext | undefined {
    return this.#thrownOutOf;
  }

  /**
   * Returns the context of a request, creating it if needed. The `route` of the last caller is used, since the router
   * runs last.
   */
  open(incoming: IncomingRequest, route: RequestContext["route"] = unrouted): RequestContext {
    const known = this.#byRequest.of(incoming);
    if (known) {
      known.route = route;
      return known;
    }
    const context = this.#begin({ incoming, route });
    this.#byRequest.to(incoming, context);
    return context;
  }

  /** Called when a request on this socket has been answered. */
  answered(incoming: object, socket: object): void {
    const context = this.#byRequest.of(incoming);
    if (!context) return;
    this.observer?.end(context);
    this.#idle.answered(socket, context);
  }

  /** Called once per flush interval. */
  tick(): void {
    this.#idle.tick();
  }

  /**
   * Records that a request failed with `error` through no failure of the service: the request was bad, or its client
   * disconnected.
   */
  passOver(error: unknown, incoming: object | undefined): void {
    const context = (incoming && this.of(incoming)) ?? this.current();
    if (context) context.passedOver = error;
  }

  /** Makes everything that the running code does next part of serving this request, or of none. */
  enter(context: RequestContext | undefined): void {
    // Node's types don't allow none.
    Reflect.apply(this.#current.enterWith, this.#current, [context]);
  }

  /**
   * Runs `serve`, and everything it starts, as part of serving an incoming request. Returns and throws what it does.
   */
  serve<Result>(incoming: IncomingRequest, route: RequestContext["route"], serve: () => Result): Result {
    return this.run(this.open(incoming, route), serve);
  }

  /** Makes everything that the running code does next a separate job. */
  enterJob(attributes: RequestContext["attributes"]): void {
    this.enter(this.#begin({ incoming: undefined, route: unrouted, attributes }));
  }

  /** Runs a job as a separate unit of work, whose events carry `attributes`. Returns and throws what it does. */
  runJob<Result>(
    job: Pick<RequestContext, "incoming" | "route" | "attributes" | "within" | "scope">,
    run: () => Result,
  ): Result {
    return this.run(this.#begin(job), run);
  }

  /**
   * Runs `serve`, and everything it starts, within this context. Returns and throws what it does. It catches nothing:
   * for an uncaught error, Node prints the line that threw it last, which would be ours.
   */
  run<Result>(context: RequestContext, serve: () => Result): Result {
    let hasThrown = true;
    try {
      const result = this.#current.run(context, serve);
      hasThrown = false;
      return result;
    } finally {
      if (hasThrown) this.#throwOutOf(context);
    }
  }

  #begin(parts: Omit<RequestContext, "startedAt">): RequestContext {
    const context = { ...parts, startedAt: this.#clock() };
    this.observer?.begin(context);
    return context;
  }

  /** An uncaught error is reported before any promise's reaction runs. */
  #throwOutOf(context: RequestContext): void {
    this.#thrownOutOf = context;
    void Promise.resolve().then(() => {
      this.#thrownOutOf = undefined;
    });
  }
}

/** Returns the breadcrumbs of this request. */
export function ringOf(context: RequestContext): BreadcrumbRing {
  context.ring ??= new BreadcrumbRing();
  return context.ring;
}

/** Returns the request in wire format: its path without the query string, its headers redacted. Undefined for a job. */
export function describeRequest(context: RequestContext, redaction: Redaction): Request | undefined {
  const { incoming } = context;
  if (!incoming) return undefined;
  // HTTP/2 has the path among the headers, including its query string.
  const { ":path": _path, ...headers } = incoming.headers;
  const route = context.route(incoming);
  const url = incoming.originalUrl ?? incoming.url ?? "";
  const [path = ""] = url.split("?", 1);
  return {
    method: trimText(incoming.method ?? "", limits.textLengthMax),
    path: trimText(path, limits.textLengthMax),
    ...(route === undefined ? {} : { route: trimText(route, limits.textLengthMax) }),
    headers: redactHeaders(headers, redaction),
  };
}

/**
 * Returns the trace that the running code is part of: OpenTelemetry's if the program has it, otherwise the request's.
 */
export function currentTrace(context: RequestContext | undefined): Trace | undefined {
  return activeSpan() ?? (context && traceOf(context));
}

/** Returns the `traceparent` for outgoing calls of this request. */
export function traceparentOf(context: RequestContext): string {
  const { traceId, spanId, flags } = currentTrace(context) ?? traceOf(context);
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Returns a trace in wire format. */
export function toWireTrace({ traceId, spanId }: Trace): NonNullable<TelemetryEvent["trace"]> {
  return { trace_id: traceId, span_id: spanId };
}

/** Returns the caller's trace, or a new one. */
function traceOf(context: RequestContext): Trace {
  context.trace ??= startTrace(readTraceparent(context.incoming?.headers.traceparent));
  return context.trace;
}

function unrouted(): undefined {
  return undefined;
}

/** Releases what an answered request holds, except what a later event of it would contain. */
function release(context: RequestContext): void {
  context.ring = undefined;
  if (!context.incoming) return;
  const { method, url, originalUrl, headers } = context.incoming;
  context.incoming = { method, url, originalUrl, headers };
}
