import { currentClient } from "../current-client.ts";
import type { IncomingRequest } from "../request-context.ts";
import { isClientError } from "./client-error.ts";

/** The least that is needed of an Express request, version 4 or 5. */
export interface ExpressRequest extends IncomingRequest {
  readonly baseUrl?: string;
  readonly route?: { readonly path?: unknown };
}

export type { IncomingRequest };

type Next = (error?: unknown) => void;

/** Goes before the routes: what they record belongs to their request. */
export function whenceRequests(): (request: ExpressRequest, response: unknown, next: Next) => void {
  return (request, _response, next) => {
    const client = currentClient();
    if (client) client.serve(request, () => routeOf(request), next);
    else next();
  };
}

/** Goes after the routes and before other error handlers: records what they failed with, and passes it on. */
export function whenceErrors(): (error: unknown, request: ExpressRequest, response: unknown, next: Next) => void {
  return (error, request, _response, next) => {
    const client = currentClient();
    client?.guard(() => {
      if (!isClientError(error)) client.captureRouteError(error, "express", request);
    }, undefined)();
    next(error);
  };
}

/**
 * The pattern of the route. An error handler comes after the router, which has taken its `baseUrl` back by then: the
 * prefix is what the URL has before the segments that the pattern names.
 */
function routeOf({ baseUrl = "", originalUrl = "", route }: ExpressRequest): string | undefined {
  if (route?.path === undefined) return undefined;
  const pattern = String(route.path);
  if (baseUrl !== "" || variableLength.test(pattern)) return baseUrl + pattern;
  const [path = ""] = originalUrl.split("?", 1);
  const own = segmentsOf(pattern);
  const mountedAt = segmentsOf(path).slice(0, -own.length || undefined);
  return `/${[...mountedAt, ...own].join("/")}`;
}

/** Wildcards, optional parts, alternatives: such a pattern names no fixed number of segments. */
const variableLength = /[*(){}?+|]/;

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
