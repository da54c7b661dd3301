import { Client } from "./client.ts";
import { currentClient, type RunningClient, setCurrentClient } from "./core/current-client.ts";
import { stopPreviousContextClient } from "./core/previous-context-client.ts";
import { nodeFlags } from "./environment.ts";
import { expressRoute } from "./frameworks/express-route.ts";
import { answeredRequests } from "./instrumentations/answered-requests.ts";
import { consoleLogs } from "./instrumentations/console.ts";
import type { Instrumentation } from "./instrumentations/instrumentation.ts";
import { nodeRedis } from "./instrumentations/node-redis.ts";
import { outgoingFetch } from "./instrumentations/outgoing-fetch.ts";
import { outgoingHttp } from "./instrumentations/outgoing-http.ts";
import { outgoingHttp2 } from "./instrumentations/outgoing-http2.ts";
import { pinoLogs } from "./instrumentations/pino.ts";
import { processEvents } from "./instrumentations/process-events.ts";
import { uncaughtException } from "./instrumentations/uncaught-exception.ts";
import { workerThreads } from "./instrumentations/worker-threads.ts";
import { type InitOptions, isEnabled, type LogSource, resolveOptions } from "./options.ts";
import { unseenFailures } from "./process/unseen-failures.ts";

/** The instrumentations that are always on. */
const instrumentations: readonly Instrumentation[] = [
  uncaughtException,
  processEvents,
  workerThreads,
  answeredRequests,
  outgoingHttp,
  outgoingHttp2,
  outgoingFetch,
];

/** Loggers that are recorded unless the program turns them off. */
const loggers: Readonly<Record<LogSource, Instrumentation>> = { console: consoleLogs, pino: pinoLogs };

/**
 * Starts the client of this thread. If one is already running, such as that of a preload, it stays and adopts the
 * options that can change; one warning lists the others, and `enabled: false` stops it. In a context of `node:vm`, it
 * stops the client of the previous such context. Never throws; an invalid option falls back to its default, with one
 * warning.
 */
export function init(options: InitOptions): void {
  const running = currentClient();
  try {
    if (running) {
      initAgain(running, options);
      return;
    }
    const resolved = resolveOptions(options, warn);
    if (!resolved) return;
    for (const failure of unseenFailures(nodeFlags(), resolved.spool.folder !== undefined)) warn(failure);
    stopPreviousContextClient();
    const client = new Client(resolved);
    const chosen = resolved.logs.map((name) => loggers[name]);
    client.start([...instrumentations, ...(resolved.databases ? [nodeRedis] : []), ...chosen]);
    if (resolved.localVariables) client.recordVariables(warn);
    const watchesPlaces = resolved.watch !== false;
    // Places are watched for one request at a time.
    if (resolved.watchServers || watchesPlaces) client.watchServers(expressRoute);
    if (watchesPlaces) client.watchPlaces(warn);
    setCurrentClient(client);
  } catch (error) {
    warn(`the client failed to start: ${String(error)}`);
  }
}

function initAgain(running: RunningClient, options: InitOptions): void {
  if (isEnabled(options.enabled, warn)) {
    running.adopt(options, warn);
    return;
  }
  setCurrentClient(undefined);
  running.stop();
}

/** Warnings printed so far: each is printed once, even when a program calls `init` several times. */
const printed = new Set<string>();

function warn(message: string): void {
  if (printed.has(message)) return;
  printed.add(message);
  process.emitWarning(`@whence/node: ${message}`, { type: "WhenceWarning", code: "WHENCE_WARN_INIT" });
}
