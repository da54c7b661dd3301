import { mountedRoute } from "./mounted-route.ts";

/** What is known of the route of a Koa context: what @koa/router and koa-mount leave on it. */
export interface RoutedKoaContext {
  readonly originalUrl: string;
  readonly _matchedRoute?: unknown;
  readonly mountPath?: string;
}

/** The pattern of the route, once a router has found one. */
export function koaRoute({ _matchedRoute: pattern, originalUrl, mountPath }: RoutedKoaContext): string | undefined {
  return pattern === undefined ? undefined : mountedRoute(String(pattern), originalUrl, mountPath);
}
