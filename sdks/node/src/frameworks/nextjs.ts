import { currentClient } from "../core/current-client.ts";
import { isClientError } from "./client-error.ts";

/** The request that Next.js 15 and newer passes to `onRequestError`. */
export interface NextErrorRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The context of the failed code that Next.js passes to `onRequestError`. */
export interface NextErrorContext {
  readonly routePath: string;
  readonly routeType: string;
}

/**
 * Ties what a request records to that request; without it, breadcrumbs of concurrent requests mix. Call it in
 * `register` of `instrumentation.ts`, after `init`.
 */
export function whenceRequests(): void {
  const client = currentClient();
  client?.guard(() => client.watchServers(), undefined)();
}

/**
 * Records errors of pages, layouts, route handlers, server actions, and the proxy of Next.js: `export {
 * whenceRequestError as onRequestError }` in `instrumentation.ts`. This module imports no built-in module of Node, so
 * that the file can be bundled for every runtime; without a client it does nothing.
 */
export function whenceRequestError(error: unknown, request: NextErrorRequest, context: NextErrorContext): void {
  const client = currentClient();
  client?.guard(() => {
    if (isClientError(error)) return;
    const { method, path, headers } = request;
    const current = client.requests.current() ?? client.requests.open({ method, url: path, headers });
    current.route = () => routeOf(context);
    client.requests.run(current, () => client.capture.routeError(error, "nextjs", undefined));
  }, undefined)();
}

/** Returns the route; for a server action, Next.js names the file of its page. */
function routeOf({ routePath, routeType }: NextErrorContext): string {
  return routeType === "action" ? routePath.replace(/\/page$/, "") || "/" : routePath;
}
