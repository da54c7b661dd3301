import type { IncomingRequest } from "../core/request-context.ts";
import { recordRouteError } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

/** What the client needs of a hapi request. */
export interface HapiRequest {
  readonly raw: { readonly req: IncomingRequest };
  readonly route: { readonly path: string; readonly method: string };
  readonly response: unknown;
}

/** What hapi gives to the methods of a request's life. */
export interface HapiToolkit {
  readonly continue: symbol;
}

/** What the client needs of a hapi server. */
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

/** What the client needs of what hapi notes of a request. */
export interface HapiLogEvent {
  readonly channel: string;
  readonly error?: unknown;
}

/** What the client needs of the HTTP server below a hapi server. */
export interface HapiListener {
  listeners(event: string): unknown[];
  removeAllListeners(event: string): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

export type { IncomingRequest };

type Route = (incoming: object) => string | undefined;

/** The method of hapi's own routes, for what no route of the program answers. */
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
      // A request that `server.inject` made did not come by the listener.
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
    // What fails after that: a body that is streamed, an extension of `onPostResponse`.
    server.events.on({ name: "request", channels: ["error", "internal"] }, (request, { channel, error }, tags) => {
      if (error === undefined || (channel === "internal" && !tags.response && !tags.ext)) return;
      recordRouteError("hapi", error, request.raw.req);
    });
  },
};

/**
 * Has hapi's own listeners run as part of the request that they serve: it awaits each step of a request's life, so that
 * nothing done in one step could reach the next.
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
    // Both events come with the request first.
    const incoming = args[0] as IncomingRequest;
    const route = (): string | undefined => routeOf(incoming);
    return serveRequest(incoming, route, () => Reflect.apply(handle, this, args));
  };
}
