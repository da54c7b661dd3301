import type { DatabaseQuery } from "../core/database-call.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall, keepRequestOfWaiting } from "./begin-call.ts";
import { endingCall, watchEvents } from "./observe-end.ts";
import { serverOf } from "./server-of.ts";
import { isMethod, type Method, wrapMethod } from "./wrap-method.ts";

/** The part of the module `mysql2` that is used; `mysql2/promise` is based on it. */
export interface Mysql2 {
  readonly Connection: { readonly prototype: object };
}

/**
 * Starts recording the queries of all connections and pools of `mysql2` and `mysql2/promise` as breadcrumbs. Doesn't
 * use the channels that mysql2 publishes: with a subscriber, a failed query without a callback or an `error` listener
 * no longer ends the program.
 */
export function whenceMysql2(mysql2: Mysql2): void {
  keepRequestOfWaiting(readProperty(readProperty(mysql2, "Pool"), "prototype"), "getConnection");
  const connection = readProperty(mysql2?.Connection, "prototype");
  for (const name of ["query", "execute"]) wrapMethod(connection, name, recorded);
}

function recorded(original: Method): Method {
  return function (this: unknown, ...args) {
    const end = beginCall(() => queryOf(this, args[0]));
    if (!end) return Reflect.apply(original, this, args);
    try {
      const place = args.findLastIndex(isMethod);
      const called = args.map((argument, index) =>
        index === place && isMethod(argument) ? endingCall(argument, end) : argument,
      );
      if (place === -1 && !watchCallback(args[0], end)) {
        const command = Reflect.apply(original, this, called);
        // Without a callback, a command emits its result.
        watchEvents(command, end);
        return command;
      }
      return Reflect.apply(original, this, called);
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** Watches the callback of a command, which a pool creates with the callback inside. */
function watchCallback(command: unknown, end: EndCall): boolean {
  const callback = readProperty(command, "onResult");
  return isMethod(callback) && Reflect.set(Object(command), "onResult", endingCall(callback, end));
}

function queryOf(connection: unknown, query: unknown): DatabaseQuery {
  const statement = asText(query) || asText(readProperty(query, "sql"));
  return { system: "mysql", statement, ...serverOf(readProperty(connection, "config")) };
}
