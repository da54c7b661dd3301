import { isNativeError } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import { consoleText } from "../console-text.ts";
import { type LogRecord, printedError } from "../log-record.ts";
import { sdkLimits } from "../sdk-limits.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** The console's methods that print a record, and how bad it is. */
const methods = { debug: "debug", log: "info", info: "info", warn: "warning", error: "error" } as const;
type Method = keyof typeof methods;

/** Node tells of console calls on channels from here on (22.14 and 23.7 began to); before, the methods are wrapped. */
const channelsFromMajor = 24;

/** `console.trace` prints by way of `console.error`, and tells of no error. */
const trace = /^Trace(?:: |\n)/;

/** Node prints the process's warnings by `console.error`, too. */
const warningOfNode = /^\(node:\d+\) /;

/** What the program prints on its console, which stays as it is. */
export const consoleLogs: Instrumentation = {
  name: "console",
  start(client) {
    const hasChannels = Number.parseInt(process.versions.node, 10) >= channelsFromMajor;
    const stops = Object.keys(methods).map((name) => {
      const method = name as Method;
      const observe = client.guard(
        (args: readonly unknown[]) => client.captureLog(() => toRecord(method, args)),
        undefined,
      );
      return hasChannels
        ? listen(`console.${method}`, (args) => observe(Array.isArray(args) ? args : []))
        : wrap(method, observe);
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};

function toRecord(method: Method, args: readonly unknown[]): LogRecord {
  const level = methods[method];
  if (level !== "error")
    return { logger: "console", level, message: consoleText(args, sdkLimits.logLineCharactersMax) };
  const error: unknown = args.find((argument) => isNativeError(argument));
  const message = consoleText(args, limits.messageLengthMax);
  if (error !== undefined) return { logger: "console", level, message: args.length === 1 ? "" : message, error };
  if (warningOfNode.test(message)) return { logger: "console", level: "warning", message };
  return trace.test(message)
    ? { logger: "console", level: "debug", message }
    : { logger: "console", level, message, error: printedError(message) };
}

/** Calls what is there, after it was observed; what it returns and throws is the host's. */
function wrap(method: Method, observe: (args: readonly unknown[]) => void): () => void {
  const { console } = globalThis;
  const original = console[method];
  const wrapped = function (this: unknown, ...args: unknown[]): void {
    observe(args);
    Reflect.apply(original, this, args);
  };
  Object.defineProperty(wrapped, "name", { value: original.name, configurable: true });
  console[method] = wrapped;
  return () => {
    if (console[method] === wrapped) console[method] = original;
  };
}
