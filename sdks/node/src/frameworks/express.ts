import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { mountedRoute } from "./mounted-route.ts";
import { recordRouteError } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

/** What the client needs of an Express request, version 4 or 5. */
export interface ExpressRequest extends IncomingRequest {
  readonly baseUrl?: string;
  readonly route?: { readonly path?: unknown };
}

export type { IncomingRequest };

type Next = (error?: unknown) => void;

/** Add it before the routes: it ties what a request records to that request. */
export function whenceRequests(): (request: ExpressRequest, response: unknown, next: Next) => void {
  return (request, _response, next) => serveRequest(request, () => expressRoute(request), next);
}

/** Add it after the routes and before other error handlers: it records a route's error and passes it on. */
export function whenceErrors(): (error: unknown, request: ExpressRequest, response: unknown, next: Next) => void {
  return (error, request, response, next) => {
    recordRouteError("express", error, request, readProperty(response, "statusCode"));
    next(error);
  };
}

/**
 * The pattern of the route. An error handler comes after the router, which has taken its `baseUrl` back by then: the
 * prefix has to be read from the URL.
 */
export function expressRoute({ baseUrl = "", originalUrl = "", route }: ExpressRequest): string | undefined {
  if (route?.path === undefined) return undefined;
  const pattern = String(route.path);
  return baseUrl === "" ? mountedRoute(pattern, originalUrl) : baseUrl + pattern;
}
