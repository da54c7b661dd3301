import { currentClient } from "../core/current-client.ts";
import type { DatabaseQuery } from "../core/database-call.ts";
import type { RequestContext } from "../core/request-context.ts";
import { likeOriginal } from "../frameworks/like-original.ts";
import { isMethod, type Method, wrapMethod } from "./wrap-method.ts";

/**
 * Records the end of a call; `error` is its failure. Its duration is until now, or `durationMs`. Never throws; only the
 * first end counts.
 */
export type EndCall = (error?: unknown, durationMs?: number) => void;

/** The waiting request that is being served; set only while a pool runs the code that waited for a connection. */
let waiting: { readonly context: RequestContext | undefined } | undefined;

/** Records that a database call has started. Returns undefined when it isn't recorded. Never throws. */
export function beginCall(describe: () => DatabaseQuery): EndCall | undefined {
  const client = currentClient();
  if (!client?.recordsDatabases) return undefined;
  return client.guard(() => {
    const context = waiting ? waiting.context : client.requests.current();
    const call = client.breadcrumbs.beginQuery(describe(), context);
    return client.guard((error?: unknown, durationMs?: number) => call.ended(error, durationMs), undefined);
  }, undefined)();
}

/**
 * Wraps a pool's method that calls back with a connection. An exhausted pool calls back while it serves the request
 * that released the connection; queries from the callback belong to the request that waited.
 */
export function keepRequestOfWaiting(pool: unknown, name: string): void {
  wrapMethod(
    pool,
    name,
    (original) =>
      function (this: unknown, ...args) {
        const [callback] = args;
        if (!isMethod(callback) || !currentClient()) return Reflect.apply(original, this, args);
        return Reflect.apply(original, this, [inCurrentRequest(callback), ...args.slice(1)]);
      },
  );
}

function inCurrentRequest(callback: Method): Method {
  const turn = { context: currentClient()?.requests.current() };
  const wrapper = function (this: unknown, ...results: unknown[]): unknown {
    const before = waiting;
    waiting = turn;
    try {
      return Reflect.apply(callback, this, results);
    } finally {
      waiting = before;
    }
  };
  return likeOriginal(wrapper, callback);
}
