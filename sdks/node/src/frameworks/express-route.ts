import type { IncomingRequest } from "../core/request-context.ts";
import { mountedRoute } from "./mounted-route.ts";

/** The part of an Express request that the client uses, in versions 4 and 5. */
export interface ExpressRequest extends IncomingRequest {
  readonly baseUrl?: string;
  readonly route?: { readonly path?: unknown };
}

/**
 * Returns the route's pattern. An error handler runs after the router has restored `baseUrl`, so the prefix is taken
 * from the URL.
 */
export function expressRoute({ baseUrl = "", originalUrl = "", route }: ExpressRequest): string | undefined {
  if (route?.path === undefined) return undefined;
  const pattern = String(route.path);
  return baseUrl === "" ? mountedRoute(pattern, originalUrl) : baseUrl + pattern;
}
