import { Client } from "./client.ts";
import { currentClient, setCurrentClient } from "./core/current-client.ts";
import { stopPreviousContextClient } from "./core/previous-context-client.ts";
import { answeredRequests } from "./instrumentations/answered-requests.ts";
import { consoleLogs } from "./instrumentations/console.ts";
import type { Instrumentation } from "./instrumentations/instrumentation.ts";
import { outgoingFetch } from "./instrumentations/outgoing-fetch.ts";
import { outgoingHttp } from "./instrumentations/outgoing-http.ts";
import { outgoingHttp2 } from "./instrumentations/outgoing-http2.ts";
import { pinoLogs } from "./instrumentations/pino.ts";
import { processEvents } from "./instrumentations/process-events.ts";
import { uncaughtException } from "./instrumentations/uncaught-exception.ts";
import { workerThreads } from "./instrumentations/worker-threads.ts";
import { type InitOptions, type LogSource, resolveOptions } from "./options.ts";

/** Everything that is watched. */
const instrumentations: readonly Instrumentation[] = [
  uncaughtException,
  processEvents,
  workerThreads,
  answeredRequests,
  outgoingHttp,
  outgoingHttp2,
  outgoingFetch,
];

/** Loggers that are listened to unless the program says otherwise. */
const loggers: Readonly<Record<LogSource, Instrumentation>> = { console: consoleLogs, pino: pinoLogs };

/**
 * Starts the client of this thread. Called again while it runs, it changes nothing: a preload and a program that both
 * call it share one client. In a context of `node:vm` it ends the client of the last other such context. Never throws;
 * an option that can't be used is warned of once and replaced by its default.
 */
export function init(options: InitOptions): void {
  if (currentClient()) return;
  try {
    const resolved = resolveOptions(options, warn);
    if (!resolved) return;
    stopPreviousContextClient();
    const client = new Client(resolved);
    client.start([...instrumentations, ...resolved.logs.map((name) => loggers[name])]);
    setCurrentClient(client);
  } catch (error) {
    warn(`the client could not start: ${String(error)}`);
  }
}

/** What was said before is not said again, however often a program calls `init`. */
const said = new Set<string>();

function warn(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  process.emitWarning(`@whence/node: ${message}`, { type: "WhenceWarning", code: "WHENCE_WARN_INIT" });
}
