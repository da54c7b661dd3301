import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { type ExpressRequest, expressRoute } from "./express-route.ts";
import { recordRouteError } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

export type { ExpressRequest, IncomingRequest };

type Next = (error?: unknown) => void;

/** Returns middleware that ties what a request records to that request. Add it before the routes. */
export function whenceRequests(): (request: ExpressRequest, response: unknown, next: Next) => void {
  return (request, _response, next) => serveRequest(request, () => expressRoute(request), next);
}

/**
 * Returns an error handler that records a route's error and passes it on. Add it after the routes and before other
 * error handlers.
 */
export function whenceErrors(): (error: unknown, request: ExpressRequest, response: unknown, next: Next) => void {
  return (error, request, response, next) => {
    recordRouteError("express", error, request, readProperty(response, "statusCode"));
    next(error);
  };
}
