import { currentClient } from "../core/current-client.ts";
import { readProperty } from "../runtime/read-property.ts";
import { messageName } from "./message-name.ts";
import { serveJob } from "./run-job.ts";

/** Serves one message; `done` calls its handler. */
type ProcessingHook = (transport: unknown, context: unknown, done: () => unknown) => unknown;

/** A server of Nest's microservices, which has this hook since a version 11 release. */
interface MessageServer {
  setOnProcessingStartHook(hook: ProcessingHook): unknown;
}

/** Makes each message of a microservice a separate unit of work. The program's own hook, if any, still runs. */
export function serveMessages(microservice: object): void {
  const server = readProperty(microservice, "serverInstance");
  if (!isMessageServer(server)) return;
  const own = readProperty(server, "onProcessingStartHook");
  server.setOnProcessingStartHook((transport, context, done) => {
    const serve = (): unknown => serveMessage(context, done);
    return typeof own === "function" ? own.call(server, transport, context, serve) : serve();
  });
}

function serveMessage(context: unknown, serve: () => unknown): unknown {
  const job = currentClient()?.guard(messageName, undefined)(context);
  return serveJob({ attributes: job === undefined ? {} : { job } }, serve);
}

function isMessageServer(server: unknown): server is MessageServer {
  return typeof readProperty(server, "setOnProcessingStartHook") === "function";
}
