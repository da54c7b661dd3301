import type { IncomingRequest } from "../request-context.ts";
import { serveRequest } from "./serve-request.ts";

export type { IncomingRequest };

/**
 * A listener for the `request` or `upgrade` event of a server of `node:http`, `https` or `http2`: what a request records
 * stays with it. `this`, arguments, result and errors are those of the given listener.
 */
export function whenceListener<This, Rest extends readonly unknown[], Incoming extends IncomingRequest, Result>(
  listener: (this: This, request: Incoming, ...rest: Rest) => Result,
): (this: This, request: Incoming, ...rest: Rest) => Result {
  return function (request, ...rest) {
    return serveRequest(request, unrouted, () => listener.call(this, request, ...rest));
  };
}

function unrouted(): undefined {
  return undefined;
}
