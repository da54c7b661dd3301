import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingRequest } from "../core/request-context.ts";
import { likeOriginal } from "./like-original.ts";
import { serveRequest } from "./serve-request.ts";

export type { IncomingRequest };

/**
 * Wraps a `request` or `upgrade` listener of a `node:http`, `https`, or `http2` server to tie what a request records to
 * that request. `this`, arguments, result, and errors don't change.
 */
export function whenceListener<Result>(
  listener: (request: IncomingMessage, response: ServerResponse) => Result,
): (request: IncomingMessage, response: ServerResponse) => Result;
export function whenceListener<This, Incoming extends IncomingRequest, Rest extends unknown[], Result>(
  listener: (this: This, request: Incoming, ...rest: Rest) => Result,
): (this: This, request: Incoming, ...rest: Rest) => Result;
export function whenceListener(
  listener: (request: never, ...rest: never[]) => unknown,
): (request: IncomingRequest, ...rest: unknown[]) => unknown {
  const serving = function (this: unknown, ...args: [IncomingRequest, ...unknown[]]): unknown {
    return serveRequest(args[0], unrouted, () => Reflect.apply(listener, this, args));
  };
  return likeOriginal(serving, listener);
}

function unrouted(): undefined {
  return undefined;
}
