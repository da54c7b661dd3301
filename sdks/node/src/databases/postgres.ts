import type { DatabaseQuery } from "../core/database-call.ts";
import { isObject } from "../runtime/is-object.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall } from "./begin-call.ts";
import { type DatabaseServer, serverOf } from "./server-of.ts";
import { isMethod, wrapMethod } from "./wrap-method.ts";

/** The part of the `sql` returned by `postgres()` that is used. */
export type PostgresSql = (strings: TemplateStringsArray) => unknown;

/** Servers by the function that cancels their queries, the only thing that all queries of one `sql` share. */
const servers = new WeakMap<object, DatabaseServer>();

/** The prototypes of what `sql("users")` returns. A class of the program may look the same, but hold a value. */
const namePrototypes = new WeakSet<object>();

/**
 * Starts recording the queries of `postgres` (postgres.js) as breadcrumbs: those of `sql`, with its server, and all
 * others made by the same copy of the library. Doesn't use its option `debug`, which changes the stacks of errors.
 */
export function whencePostgres(sql: PostgresSql): void {
  const query = resultOf(() => sql`SELECT`);
  const name = resultOf(() => Reflect.apply(sql, undefined, ["name"]));
  const canceller = readProperty(query, "canceller");
  if (isObject(canceller)) servers.set(canceller, serverOfFirst(readProperty(sql, "options")));
  const namePrototype = isObject(name) && Reflect.getPrototypeOf(name);
  if (namePrototype) namePrototypes.add(namePrototype);
  wrapMethod(
    query,
    "handle",
    (original) =>
      function (this: unknown, ...args) {
        if (isObject(this) && readProperty(this, "executed") === false) watch(this);
        return Reflect.apply(original, this, args);
      },
  );
}

/**
 * Returns the query that the library creates for a call, which isn't sent unless it is awaited. Other arguments may
 * throw.
 */
function resultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch {
    return undefined;
  }
}

function watch(query: object): void {
  const canceller = readProperty(query, "canceller");
  // The library's own queries can't be canceled.
  const end = isObject(canceller) ? beginCall(() => queryOf(query, servers.get(canceller))) : undefined;
  if (!end) return;
  watchProperty(query, "resolve", () => end());
  watchProperty(query, "reject", end);
}

/** Runs `observe` before the function that settles the query; a cursor replaces that function at each step. */
function watchProperty(query: object, name: "resolve" | "reject", observe: EndCall): void {
  let current: unknown = readProperty(query, name);
  const settle = function (this: unknown, ...args: unknown[]): unknown {
    observe(args[0]);
    return isMethod(current) ? Reflect.apply(current, this, args) : undefined;
  };
  const set = (value: unknown): void => {
    current = value;
  };
  Reflect.defineProperty(query, name, { get: () => settle, set, enumerable: true, configurable: true });
}

function queryOf(query: object, server: DatabaseServer | undefined): DatabaseQuery {
  return { system: "postgresql", statement: statementOf(query), ...server };
}

/** Returns the statement including nested queries and names. Anything else between its texts is a value. */
function statementOf(query: object): string {
  const [texts, args] = ["strings", "args"].map((name) => readProperty(query, name));
  if (!Array.isArray(texts)) return "";
  const values = Array.isArray(args) ? args : [];
  return texts.map((text, index) => (index === 0 ? text : `${partOf(values[index - 1], query)}${text}`)).join("");
}

function partOf(value: unknown, query: object): string {
  const prototype = isObject(value) ? Reflect.getPrototypeOf(value) : null;
  if (!isObject(value) || !prototype) return "?";
  if (prototype === Reflect.getPrototypeOf(query)) return statementOf(value);
  return namePrototypes.has(prototype) ? asText(readProperty(value, "value")) : "?";
}

/** With several hosts, the one used isn't known until the query is sent. */
function serverOfFirst(options: unknown): DatabaseServer {
  const [hosts, ports] = ["host", "port"].map((name) => readProperty(options, name));
  const [host, port] = [hosts, ports].map((list) => (Array.isArray(list) && list.length === 1 ? list[0] : undefined));
  return serverOf({ host, port: Number(port), database: readProperty(options, "database") });
}
