import { mountedRoute } from "./mounted-route.ts";

/** The route information that @koa/router and koa-mount set on a Koa context. */
export interface RoutedKoaContext {
  readonly originalUrl: string;
  readonly _matchedRoute?: unknown;
  readonly mountPath?: string;
}

/** Returns the route's pattern, once a router has found one. */
export function koaRoute({ _matchedRoute: pattern, originalUrl, mountPath }: RoutedKoaContext): string | undefined {
  return pattern === undefined ? undefined : mountedRoute(String(pattern), originalUrl, mountPath);
}
