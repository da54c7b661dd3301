import type { IncomingRequest } from "../core/request-context.ts";
import { mountedRoute } from "./mounted-route.ts";
import { recordRouteError } from "./route-failure.ts";
import { resumeRequest, serveRequest } from "./serve-request.ts";

/** The least that is needed of a Koa context, version 2 or 3. */
export interface KoaContext {
  readonly req: IncomingRequest;
  readonly originalUrl: string;
  readonly app: KoaApplication;
}

/** The least that is needed of a Koa application. */
export interface KoaApplication {
  prependListener(event: "error", listener: (error: unknown, context?: KoaContext) => void): unknown;
}

export type { IncomingRequest };

/** What @koa/router and koa-mount leave on a context. */
interface Routed {
  readonly _matchedRoute?: unknown;
  readonly mountPath?: string;
}

/** Applications whose errors are listened to. */
const known = new WeakSet<object>();

/**
 * `app.use(whenceKoa())`, before everything else: what a request records stays with it, and what the middleware after
 * this one fails with is recorded and thrown on.
 */
export function whenceKoa(): (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown> {
  return async (context, next) => {
    listenToErrors(context.app);
    try {
      return await serveRequest(context.req, () => routeOf(context), next);
    } catch (error) {
      // Koa makes an error of whatever else was thrown, and tells of that below.
      if (error instanceof Error) recordRouteError("koa", error, context.req);
      throw error;
    }
  };
}

/**
 * Errors of a body that is streamed, and those that the program's own handler emits. Not before the first request: by
 * then Koa has seen whether the program listens by itself, and prints errors when it doesn't. First, since what is
 * printed of an error belongs to its request, which Koa has left by then.
 */
function listenToErrors(app: KoaApplication): void {
  if (known.has(app)) return;
  known.add(app);
  app.prependListener("error", (error, context) => {
    recordRouteError("koa", error, context?.req);
    if (context) resumeRequest(context.req);
  });
}

function routeOf(context: KoaContext & Routed): string | undefined {
  const { _matchedRoute: pattern, originalUrl, mountPath } = context;
  return pattern === undefined ? undefined : mountedRoute(String(pattern), originalUrl, mountPath);
}
