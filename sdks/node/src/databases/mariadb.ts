import { likeOriginal } from "../frameworks/like-original.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall } from "./begin-call.ts";
import { endingCall, endingPromise, watchEvents } from "./observe-end.ts";
import { isMethod, type Method, wrapMethod } from "./wrap-method.ts";

/** Methods that send a statement of their own. */
const fixedStatements = { beginTransaction: "START TRANSACTION", commit: "COMMIT", rollback: "ROLLBACK" };

/**
 * Records the queries of all pools and connections of `mariadb` as breadcrumbs, by one of them: their classes aren't
 * exported. Those of a pool cover its connections. Promises and callbacks are separate classes.
 */
export function whenceMariadb(poolOrConnection: object): void {
  wrapQueries(poolOrConnection);
  wrapMethod(poolOrConnection, "getConnection", wrappingConnection);
}

/** A pool hands out connections before it emits them. */
function wrappingConnection(original: Method): Method {
  return function (this: unknown, ...args) {
    const wrapping = (callback: Method): Method =>
      likeOriginal(function (this: unknown, ...results: unknown[]): unknown {
        wrapQueries(results[1]);
        return Reflect.apply(callback, this, results);
      }, callback);
    const called = args.map((argument) => (isMethod(argument) ? wrapping(argument) : argument));
    const result = Reflect.apply(original, this, called);
    const then = readProperty(result, "then");
    const wrapped = (connection: unknown): unknown => {
      wrapQueries(connection);
      return connection;
    };
    return isMethod(then) ? Reflect.apply(then, result, [wrapped]) : result;
  };
}

function wrapQueries(holder: unknown): void {
  for (const name of ["query", "execute", "batch", "queryStream"])
    wrapMethod(holder, name, (original) => recorded(original, statementOf));
  for (const [name, statement] of Object.entries(fixedStatements))
    wrapMethod(holder, name, (original) => recorded(original, () => statement));
}

function recorded(original: Method, read: (query: unknown) => string): Method {
  return function (this: unknown, ...args) {
    const call = beginCall(() => ({ system: "mysql", statement: read(args[0]) }));
    if (!call) return Reflect.apply(original, this, args);
    const end: EndCall = (error) => call(withoutStatement(error));
    const called = args.map((argument) => (isMethod(argument) ? endingCall(argument, end) : argument));
    if (args.some(isMethod)) return Reflect.apply(original, this, called);
    const result = endingPromise(Reflect.apply(original, this, args), end);
    watchEvents(result, end);
    return result;
  };
}

function statementOf(query: unknown): string {
  return asText(query) || asText(readProperty(query, "sql"));
}

/** The messages of `mariadb` repeat the statement, with its values. */
function withoutStatement(error: unknown): unknown {
  const message = asText(readProperty(error, "sqlMessage"));
  return message === "" ? error : { message, code: readProperty(error, "code") };
}
