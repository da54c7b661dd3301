import { currentClient } from "../current-client.ts";
import { isClientError } from "./route-failure.ts";

/** What Next.js 15 and newer tells `onRequestError` of a request. */
export interface NextErrorRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What it tells of the place that failed. */
export interface NextErrorContext {
  readonly routePath: string;
}

/**
 * `export const onRequestError = whenceRequestError` in `instrumentation.ts`: records what pages, layouts, route
 * handlers, server actions and the proxy of Next.js fail with. It imports nothing of Node's own, so that the file can
 * be bundled for every runtime; where there is no client it does nothing.
 */
export function whenceRequestError(error: unknown, request: NextErrorRequest, context: NextErrorContext): void {
  const client = currentClient();
  client?.guard(() => {
    if (isClientError(error)) return;
    const incoming = { method: request.method, url: request.path, headers: request.headers };
    client.serve(
      incoming,
      () => context.routePath,
      () => client.captureRouteError(error, "nextjs", incoming),
    );
  }, undefined)();
}
