import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { honoRoute } from "./hono-route.ts";
import { passOver, recordFailure } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

/** The part of a Hono context that the client uses. */
export interface HonoContext {
  readonly req: HonoRequest;
  /** `@hono/node-server` puts Node's own request here. */
  readonly env: unknown;
  readonly error: Error | undefined;
  readonly res: { readonly status: number };
}

/** The part of Hono's request that the client uses. */
export interface HonoRequest {
  readonly method: string;
  readonly url: string;
  readonly raw: { readonly headers: Iterable<readonly [string, string]> };
  readonly matchedRoutes: readonly { readonly method: string; readonly path: string }[];
}

export type { IncomingRequest };

/**
 * `app.use(whenceHono())`, before everything else: ties what a request records to that request, and records errors of
 * the handlers after it, unless the response has a status from 400 to 499.
 */
export function whenceHono(): (context: HonoContext, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    const incoming = incomingOf(context);
    try {
      await serveRequest(incoming, () => honoRoute(context.req), next);
    } catch (error) {
      // Hono doesn't handle thrown values that aren't errors.
      if (isGivenUp(context.req, error)) passOver(error, incoming);
      else recordFailure("hono", error, incoming);
      throw error;
    }
    const { error } = context;
    if (error !== undefined && !isClientStatus(context.res.status)) recordFailure("hono", error, incoming);
  };
}

/** Whether the request's own abort signal caused this, because its client disconnected. */
function isGivenUp({ raw }: HonoRequest, error: unknown): boolean {
  const signal = readProperty(raw, "signal");
  return readProperty(signal, "aborted") === true && readProperty(signal, "reason") === error;
}

function isClientStatus(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Returns Node's own request, or a substitute for a request that didn't come from it. */
function incomingOf({ req, env }: HonoContext): IncomingRequest {
  if (typeof env === "object" && env !== null && "incoming" in env) {
    const { incoming } = env;
    if (typeof incoming === "object" && incoming !== null && "headers" in incoming) return incoming as IncomingRequest;
  }
  const { raw, method, url } = req;
  return {
    method,
    url: new URL(url).pathname,
    get headers() {
      return Object.fromEntries(raw.headers);
    },
  };
}
