import { limits } from "@whence/protocol/limits";
import { errorIn, type LogRecord, printedError } from "../core/log-record.ts";
import { isTestRun } from "../environment.ts";
import { isError } from "../runtime/is-error.ts";
import { asText } from "../runtime/read-property.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { listen } from "./channels.ts";
import { consoleText } from "./console-text.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** The console's methods that print a record, and their levels. */
const methods = { debug: "debug", log: "info", info: "info", warn: "warning", error: "error" } as const;
type Method = keyof typeof methods;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
/** Whether console calls are published on channels. If not, the methods are wrapped, which shows in stacks. */
const hasChannels = runtimeName() === "node" && (major >= 24 || (major === 22 && minor >= 14));

/** `console.trace` prints through `console.error`, but reports no error. */
const trace = /^Trace(?:: |\n)/;

/** Node also prints process warnings through `console.error`. */
const warningOfNode = /^\(node:\d+\) /;
/** This client's own warnings are for the developer who starts the program, and explain no failure of it. */
const ownWarning = /^\(node:\d+\) \[WHENCE_WARN_/;

/** Records what the program prints to the console. Its output doesn't change. */
export const consoleLogs: Instrumentation = {
  name: "console",
  start(recorder) {
    const isTested = isTestRun();
    const stops = Object.keys(methods).map((name) => {
      const method = name as Method;
      const observe = recorder.guard((args: readonly unknown[]) => {
        if (!isOwnWarning(args)) recorder.capture.log(() => toRecord(method, args, isTested));
      }, undefined);
      return hasChannels
        ? listen(`console.${method}`, (args) => observe(Array.isArray(args) ? args : []))
        : wrap(method, observe);
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};

function isOwnWarning([first]: readonly unknown[]): boolean {
  return typeof first === "string" && ownWarning.test(first);
}

/**
 * Converts a call to a log record. In a test run, `console.error` prints failing assertions, which are no failures of a
 * program.
 */
function toRecord(method: Method, args: readonly unknown[], isTested: boolean): LogRecord {
  const level = isTested && method === "error" ? "warning" : methods[method];
  if (level !== "error")
    return { logger: "console", level, message: consoleText(args, sdkLimits.logLineCharactersMax) };
  const error: unknown = args.find((argument) => isError(argument));
  const message = consoleText(args, limits.messageLengthMax);
  if (error !== undefined) return { logger: "console", level, message: args.length === 1 ? "" : message, error };
  if (warningOfNode.test(message)) return { logger: "console", level: "warning", message };
  return trace.test(message)
    ? { logger: "console", level: "debug", message }
    : { logger: "console", level, message, error: within(args) ?? printedIn(args) };
}

/** Returns the error in a field of an argument, as in `console.error("failed", { error })`. */
function within(args: readonly unknown[]): unknown {
  for (const argument of args) {
    const found = errorIn(argument);
    if (found) return found.error;
  }
  return undefined;
}

/** Returns the error whose stack is one of the arguments, as in `console.error("failed:", error.stack)`. */
function printedIn(args: readonly unknown[]): object | undefined {
  for (const argument of args.slice(1)) {
    const error = printedError(asText(argument).slice(0, limits.messageLengthMax));
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Wraps a method to observe its calls first. Results and errors don't change. */
function wrap(method: Method, observe: (args: readonly unknown[]) => void): () => void {
  const { console } = globalThis;
  const original = console[method];
  const wrapped = function (this: unknown, ...args: unknown[]): void {
    observe(args);
    Reflect.apply(original, this, args);
  };
  Object.defineProperty(wrapped, "name", { value: original.name, configurable: true });
  // A frozen console isn't wrapped, and not recorded.
  Reflect.set(console, method, wrapped);
  return () => {
    if (console[method] === wrapped) console[method] = original;
  };
}
