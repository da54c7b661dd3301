import { currentClient } from "../core/current-client.ts";
import { isClientError } from "./client-error.ts";

/** What Next.js 15 and newer passes `onRequestError` about a request. */
export interface NextErrorRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What Next.js passes `onRequestError` about the code that failed. */
export interface NextErrorContext {
  readonly routePath: string;
  readonly routeType: string;
}

/**
 * Call it in `register` of `instrumentation.ts`, after `init`: it ties what a request records to that request. Without
 * it, breadcrumbs of concurrent requests mix.
 */
export function whenceRequests(): void {
  const client = currentClient();
  client?.guard(() => client.watchServers(), undefined)();
}

/**
 * `export { whenceRequestError as onRequestError }` in `instrumentation.ts`: records errors of pages, layouts,
 * route handlers, server actions and the proxy of Next.js. This module imports no built-in module of Node, so that the
 * file can be bundled for every runtime; without a client it does nothing.
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

/** Of a server action Next.js names the file of the page that holds it. */
function routeOf({ routePath, routeType }: NextErrorContext): string {
  return routeType === "action" ? routePath.replace(/\/page$/, "") || "/" : routePath;
}
