import { currentClient } from "../current-client.ts";
import type { IncomingRequest } from "../request-context.ts";
import { isClientError } from "./client-error.ts";

/** The least that is needed of an Express request, version 4 or 5. */
export interface ExpressRequest extends IncomingRequest {
  readonly baseUrl?: string;
  readonly route?: { readonly path?: unknown };
}

type Next = (error?: unknown) => void;

/** Goes before the routes: what they record belongs to their request. */
export function whenceRequests(): (request: ExpressRequest, response: unknown, next: Next) => void {
  return (request, _response, next) => {
    const client = currentClient();
    const context = client?.guard(() => client.openRequest(request, () => routeOf(request)), undefined)();
    if (client && context) client.requests.run(context, next);
    else next();
  };
}

/** Goes after the routes and before other error handlers: records what they failed with, and passes it on. */
export function whenceErrors(): (error: unknown, request: ExpressRequest, response: unknown, next: Next) => void {
  return (error, request, _response, next) => {
    const client = currentClient();
    client?.guard(() => {
      if (isClientError(error)) return;
      const context = client.openRequest(request, () => routeOf(request));
      client.captureRouteError(error, "express", context);
    }, undefined)();
    next(error);
  };
}

function routeOf({ baseUrl = "", route }: ExpressRequest): string | undefined {
  return route?.path === undefined ? undefined : `${baseUrl}${String(route.path)}`;
}
