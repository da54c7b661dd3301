import type { IncomingRequest } from "../core/request-context.ts";
import { recordRouteError } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

/** The part of a hapi request that the client uses. */
export interface HapiRequest {
  readonly raw: { readonly req: IncomingRequest };
  readonly route: { readonly path: string; readonly method: string };
  readonly response: unknown;
}

/** The toolkit that hapi passes to the methods of a request's lifecycle. */
export interface HapiToolkit {
  readonly continue: symbol;
}

/** The part of a hapi server that the client uses. */
export interface HapiServer {
  readonly listener: HapiListener;
  ext(event: "onRequest" | "onPreResponse", method: (request: HapiRequest, h: HapiToolkit) => symbol): unknown;
  readonly events: {
    on(
      criteria: { name: "request"; channels: ("error" | "internal")[] },
      listener: (request: HapiRequest, event: HapiLogEvent, tags: Readonly<Record<string, true>>) => void,
    ): unknown;
  };
}

/** The part of hapi's log events that the client uses. */
export interface HapiLogEvent {
  readonly channel: string;
  readonly error?: unknown;
}

/** The part of the HTTP server below a hapi server that the client uses. */
export interface HapiListener {
  listeners(event: string): unknown[];
  removeAllListeners(event: string): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

export type { IncomingRequest };

type Route = (incoming: object) => string | undefined;

/** The method of hapi's internal routes, for requests that match none of the program's. */
const special = "_special";

/**
 * `await server.register(whenceHapi)`, before the routes and other plugins: ties what a request records to that
 * request, and records errors that result in a status of 500 or above.
 */
export const whenceHapi: { readonly name: string; readonly register: (server: HapiServer) => void } = {
  name: "@whence/node/hapi",
  register(server) {
    const requests = new WeakMap<object, HapiRequest>();
    const routeOf: Route = (incoming) => {
      const route = requests.get(incoming)?.route;
      return route?.method === special ? undefined : route?.path;
    };
    serveAll(server.listener, routeOf);
    server.ext("onRequest", (request, h) => {
      const incoming = request.raw.req;
      // A request made by `server.inject` doesn't pass the listener.
      serveRequest(
        incoming,
        () => routeOf(incoming),
        () => requests.set(incoming, request),
      );
      return h.continue;
    });
    server.ext("onPreResponse", (request, h) => {
      if (request.response instanceof Error) recordRouteError("hapi", request.response, request.raw.req);
      return h.continue;
    });
    // Failures after that: a streamed body, an extension of `onPostResponse`.
    server.events.on({ name: "request", channels: ["error", "internal"] }, (request, { channel, error }, tags) => {
      if (error === undefined || (channel === "internal" && !tags.response && !tags.ext)) return;
      recordRouteError("hapi", error, request.raw.req);
    });
  },
};

/**
 * Runs hapi's own listeners as part of the request that they serve: hapi awaits each step of a request, so nothing set
 * in one step would reach the next.
 */
function serveAll(listener: HapiListener, routeOf: Route): void {
  for (const event of ["request", "checkContinue"]) {
    const own = listener.listeners(event);
    listener.removeAllListeners(event);
    for (const handle of own) if (typeof handle === "function") listener.on(event, serving(handle, routeOf));
  }
}

// biome-ignore lint/complexity/noBannedTypes: a listener of whatever parameters, as Node gives them back
function serving(handle: Function, routeOf: Route): (...args: unknown[]) => void {
  return function (this: unknown, ...args) {
    // The request is the first argument of both events.
    const incoming = args[0] as IncomingRequest;
    const route = (): string | undefined => routeOf(incoming);
    return serveRequest(incoming, route, () => Reflect.apply(handle, this, args));
  };
}
