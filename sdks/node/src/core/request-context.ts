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

/** What the client needs of an incoming request. Node's `IncomingMessage` has it. */
export interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express keeps the whole URL here while a router rewrites `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: Headers;
}

/**
 * One unit of work: a request to the program's server, or a job. Anything expensive is created on first use.
 */
export interface RequestContext {
  /** Absent for a job. */
  incoming: IncomingRequest | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The pattern of the route that serves it, once the framework has found one. */
  route: (incoming: IncomingRequest) => string | undefined;
  /** The context that started it, while that is alive: a failure in a job is also one of the request that runs it. */
  readonly within?: WeakRef<RequestContext> | undefined;
  /** Facts that each of its events carries. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** What the program said of it: its user, tags and contexts. */
  scope?: FactScope | undefined;
  /** Breadcrumbs recorded meanwhile; other requests never see them. */
  ring?: BreadcrumbRing | undefined;
  trace?: Trace;
  /** The error that it failed with, if that isn't a failure of the service. */
  passedOver?: unknown;
}

/** Which request the running code serves. */
export class RequestContexts {
  readonly #clock: () => number;
  readonly #current = new AsyncLocalStorage<RequestContext>();
  readonly #byRequest = attachment<RequestContext>();
  readonly #idle = new IdleConnections<RequestContext>(release);
  /** The request that an error is being thrown out of, until the error is caught or has ended the program. */
  #thrownOutOf: RequestContext | undefined;

  /** `clock` returns milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The request that the running code serves. */
  current(): RequestContext | undefined {
    return this.#current.getStore();
  }

  /** The context of a request seen before, wherever the running code came from. */
  of(incoming: object): RequestContext | undefined {
    return this.#byRequest.of(incoming);
  }

  /** The request that the uncaught error was thrown out of, for handlers that run when no request is current. */
  thatThrew(): RequestContext | undefined {
    return this.#thrownOutOf;
  }

  /**
   * Returns the context of a request, and makes it when the request is new. Of several callers the last one's `route`
   * counts, since the router runs last.
   */
  open(incoming: IncomingRequest, route: RequestContext["route"] = unrouted): RequestContext {
    const known = this.#byRequest.of(incoming);
    if (known) {
      known.route = route;
      return known;
    }
    const context: RequestContext = { incoming, startedAt: this.#clock(), route };
    this.#byRequest.to(incoming, context);
    return context;
  }

  /** A request that came by this socket has been answered. */
  answered(incoming: object, socket: object): void {
    const context = this.#byRequest.of(incoming);
    if (context) this.#idle.answered(socket, context);
  }

  /** Another flush interval has passed. */
  tick(): void {
    this.#idle.tick();
  }

  /**
   * Notes that a request failed with `error`, but the service didn't: the request was bad, or its client disconnected.
   */
  passOver(error: unknown, incoming: object | undefined): void {
    const context = (incoming && this.of(incoming)) ?? this.current();
    if (context) context.passedOver = error;
  }

  /** Makes whatever the running code does next part of serving this request, or of none. */
  enter(context: RequestContext | undefined): void {
    // Node's types don't know that there may be none.
    Reflect.apply(this.#current.enterWith, this.#current, [context]);
  }

  /** Runs `serve`, and whatever it starts, as part of serving an incoming request. What it returns or throws passes. */
  serve<Result>(incoming: IncomingRequest, route: RequestContext["route"], serve: () => Result): Result {
    return this.run(this.open(incoming, route), serve);
  }

  /** Makes whatever the running code does next a job of its own, which is part of nothing else. */
  enterJob(attributes: RequestContext["attributes"]): void {
    this.enter({ incoming: undefined, route: unrouted, attributes, startedAt: this.#clock() });
  }

  /** Runs a job as a piece of work of its own, whose events carry `attributes`. What it returns or throws passes. */
  runJob<Result>(
    job: Pick<RequestContext, "incoming" | "route" | "attributes" | "within" | "scope">,
    run: () => Result,
  ): Result {
    return this.run({ ...job, startedAt: this.#clock() }, run);
  }

  /**
   * Runs `serve`, and whatever it starts, within this context. What it returns or throws passes. Nothing is caught: for
   * an uncaught error, Node prints the line that threw it last, which would be ours.
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

  /** An uncaught error is reported before any promise's reaction runs. */
  #throwOutOf(context: RequestContext): void {
    this.#thrownOutOf = context;
    void Promise.resolve().then(() => {
      this.#thrownOutOf = undefined;
    });
  }
}

/** The ring of this request. */
export function ringOf(context: RequestContext): BreadcrumbRing {
  context.ring ??= new BreadcrumbRing();
  return context.ring;
}

/** The request as an event carries it: its path without the query string, its headers redacted. None for a job. */
export function describeRequest(context: RequestContext, redaction: Redaction): Request | undefined {
  const { incoming } = context;
  if (!incoming) return undefined;
  // HTTP/2 has the path among the headers, with its query string.
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

/** The trace that the running code is part of: OpenTelemetry's, where the program has it, else that of the request. */
export function currentTrace(context: RequestContext | undefined): Trace | undefined {
  return activeSpan() ?? (context && traceOf(context));
}

/** Returns the `traceparent` for outgoing calls of this request. */
export function traceparentOf(context: RequestContext): string {
  const { traceId, spanId, flags } = currentTrace(context) ?? traceOf(context);
  return `00-${traceId}-${spanId}-${flags}`;
}

/** A trace as an event carries it. */
export function toWireTrace({ traceId, spanId }: Trace): NonNullable<TelemetryEvent["trace"]> {
  return { trace_id: traceId, span_id: spanId };
}

/** The caller's trace, or one that begins here. */
function traceOf(context: RequestContext): Trace {
  context.trace ??= startTrace(readTraceparent(context.incoming?.headers.traceparent));
  return context.trace;
}

function unrouted(): undefined {
  return undefined;
}

/** Lets go of what an answered request holds, except what a later event of it would name. */
function release(context: RequestContext): void {
  context.ring = undefined;
  if (!context.incoming) return;
  const { method, url, originalUrl, headers } = context.incoming;
  context.incoming = { method, url, originalUrl, headers };
}
