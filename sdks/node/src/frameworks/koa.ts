import type { IncomingRequest } from "../core/request-context.ts";
import { koaRoute } from "./koa-route.ts";
import { recordRouteError } from "./route-failure.ts";
import { resumeRequest, serveRequest } from "./serve-request.ts";

/** The part of a Koa context that the client uses, in versions 2 and 3. */
export interface KoaContext {
  readonly req: IncomingRequest;
  readonly originalUrl: string;
  readonly app: KoaApplication;
}

/** The part of a Koa application that the client uses. */
export interface KoaApplication {
  prependListener(event: "error", listener: (error: unknown, context?: KoaContext) => void): unknown;
}

export type { IncomingRequest };

/** Applications that have our error listener. */
const known = new WeakSet<object>();

/**
 * `app.use(whenceKoa())`, before everything else: ties what a request records to that request, and records and rethrows
 * errors of the middleware after it.
 */
export function whenceKoa(): (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown> {
  return async (context, next) => {
    listenToErrors(context.app);
    try {
      return await serveRequest(context.req, () => koaRoute(context), next);
    } catch (error) {
      // Koa converts any other thrown value to an error, which it emits below.
      if (error instanceof Error) recordRouteError("koa", error, context.req);
      throw error;
    }
  };
}

/**
 * Records errors of a streamed body, and those that the program's own handler emits. Added at the first request, after
 * Koa has checked whether the program has a listener; without one, Koa prints errors. Added as the first listener, so
 * that what later listeners print belongs to the request, whose context Koa has left by then.
 */
function listenToErrors(app: KoaApplication): void {
  if (known.has(app)) return;
  known.add(app);
  app.prependListener("error", (error, context) => {
    recordRouteError("koa", error, context?.req);
    if (context) resumeRequest(context.req);
  });
}
