import type { DatabaseQuery } from "../core/database-call.ts";
import { isObject } from "../runtime/is-object.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall, keepRequestOfWaiting } from "./begin-call.ts";
import { endingCall, endingPromise, watchMethod } from "./observe-end.ts";
import { serverOf } from "./server-of.ts";
import { isMethod, wrapMethod } from "./wrap-method.ts";

/** The part of the module `pg` that is used. */
export interface Pg {
  readonly Client: { readonly prototype: object };
  readonly Pool: { readonly prototype: object };
}

/**
 * Starts recording the queries of all clients and pools of `pg` as breadcrumbs. Results, errors, callbacks, and cursors
 * don't change.
 */
export function whencePg(pg: Pg): void {
  keepRequestOfWaiting(readProperty(pg?.Pool, "prototype"), "connect");
  wrapMethod(
    readProperty(pg?.Client, "prototype"),
    "query",
    (original) =>
      function (this: unknown, ...args) {
        const end = beginCall(() => queryOf(this, args[0]));
        if (!end) return Reflect.apply(original, this, args);
        try {
          return observed(Reflect.apply(original, this, withEnd(args, end)), args, end);
        } catch (error) {
          end(error);
          throw error;
        }
      },
  );
}

function queryOf(client: unknown, query: unknown): DatabaseQuery {
  const statement = asText(query) || asText(readProperty(query, "text"));
  return { system: "postgresql", statement, ...serverOf(client) };
}

/** Returns the arguments, with a callback or query object that records the end. */
function withEnd(args: readonly unknown[], end: EndCall): readonly unknown[] {
  const [query] = args;
  if (isSubmittable(query)) {
    watchMethod(query, "handleError", end);
    watchMethod(query, "handleReadyForQuery", () => end());
    return args;
  }
  const place = args.findLastIndex(isMethod);
  const callback = readProperty(query, "callback");
  if (place === -1 && isObject(query) && isMethod(callback)) {
    // Not set on the program's own object, which it may use again.
    const value = endingCall(callback, end);
    const own = { value, configurable: true, enumerable: true, writable: true };
    return [Object.create(query, { callback: own }), ...args.slice(1)];
  }
  return args.map((argument, index) => (index === place && isMethod(argument) ? endingCall(argument, end) : argument));
}

/** Whether the program passed a query object, such as a cursor, which `query` returns. */
function isSubmittable(query: unknown): query is object {
  return isObject(query) && isMethod(readProperty(query, "submit"));
}

/** Returns the result of `query`, with a promise that records the end. */
function observed(result: unknown, [query, ...rest]: readonly unknown[], end: EndCall): unknown {
  return isSubmittable(query) || rest.some(isMethod) ? result : endingPromise(result, end);
}
