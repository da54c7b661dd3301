import type { IncomingRequest } from "../core/request-context.ts";
import { mountedRoute } from "./mounted-route.ts";

/** What the client needs of an Express request, version 4 or 5. */
export interface ExpressRequest extends IncomingRequest {
  readonly baseUrl?: string;
  readonly route?: { readonly path?: unknown };
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
