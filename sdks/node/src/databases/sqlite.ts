import { isObject } from "../runtime/is-object.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall, type EndCall } from "./begin-call.ts";
import { isMethod, type Method, wrapMethod } from "./wrap-method.ts";

/** The part of the class `DatabaseSync` of `node:sqlite`, or `Database` of `better-sqlite3`, that is used. */
export interface Sqlite {
  readonly prototype: object;
}

/** Returns the statement that a call runs. */
type ReadStatement = (receiver: unknown, args: readonly unknown[]) => string;

/**
 * Starts recording the statements of all databases of `node:sqlite` or `better-sqlite3` as breadcrumbs. Doesn't use the
 * channel that Node publishes, which omits statements that fail, and is slow because it formats values.
 */
export function whenceSqlite(database: Sqlite): void {
  const prototype = readProperty(database, "prototype");
  wrapMethod(prototype, "exec", (original) => recorded(original, ofFirstArgument));
  wrapMethod(prototype, "prepare", (original) => wrappingResult(original, ofReceiver, ofFirstArgument));
  wrapMethod(prototype, "createTagStore", (original) => wrappingResult(original, ofTemplate));
}

const ofFirstArgument: ReadStatement = (_receiver, [statement]) => asText(statement);

const ofTemplate: ReadStatement = (_receiver, [strings]) => (Array.isArray(strings) ? strings.join("?") : "");

/** Reads the statement from a statement object of `better-sqlite3` or `node:sqlite`. */
const ofReceiver: ReadStatement = (receiver) =>
  asText(readProperty(receiver, "source")) || asText(readProperty(receiver, "sourceSQL"));

/** Each wrapper is one line in the stack of an error, so it calls the original directly. */
function wrappingResult(original: Method, ofRuns: ReadStatement, ofFailure?: ReadStatement): Method {
  return function (this: unknown, ...args) {
    try {
      const result = Reflect.apply(original, this, args);
      // The class isn't exported.
      for (const name of ["run", "get", "all", "iterate"]) wrapMethod(result, name, (run) => recorded(run, ofRuns));
      return result;
    } catch (error) {
      if (ofFailure) beginCall(() => ({ system: "sqlite", statement: ofFailure(this, args) }))?.(error);
      throw error;
    }
  };
}

function recorded(original: Method, read: ReadStatement): Method {
  return function (this: unknown, ...args) {
    const end = beginCall(() => ({ system: "sqlite", statement: read(this, args) }));
    if (!end) return Reflect.apply(original, this, args);
    try {
      const result = Reflect.apply(original, this, args);
      if (original.name === "iterate") watchRows(result, end);
      else end();
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** Watches an iterator, which runs the statement while the program asks for rows. */
function watchRows(rows: unknown, end: EndCall): void {
  for (const name of ["next", "return"]) {
    const original = readProperty(rows, name);
    if (!isObject(rows) || !isMethod(original)) continue;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        const step = Reflect.apply(original, this, args);
        if (readProperty(step, "done") === true) end();
        return step;
      } catch (error) {
        end(error);
        throw error;
      }
    };
    Reflect.defineProperty(rows, name, { value, enumerable: false, configurable: true, writable: true });
  }
}
