import { likeOriginal } from "../frameworks/like-original.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall } from "./begin-call.ts";
import { endingCall, endingPromise, watchEvents } from "./observe-end.ts";
import { isMethod, type Method, wrapMethod } from "./wrap-method.ts";

/** Methods that send a fixed statement. */
const fixedStatements = { beginTransaction: "START TRANSACTION", commit: "COMMIT", rollback: "ROLLBACK" };

/**
 * Starts recording the queries of all pools and connections of `mariadb` as breadcrumbs. Takes one of them, since their
 * classes aren't exported; a pool covers its connections. The promise and callback APIs have separate classes.
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

/** Removes the statement from an error: messages of `mariadb` repeat it, including its values. */
function withoutStatement(error: unknown): unknown {
  const message = asText(readProperty(error, "sqlMessage"));
  return message === "" ? error : { message, code: readProperty(error, "code") };
}
