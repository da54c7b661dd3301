import { currentClient } from "../current-client.ts";
import { readProperty } from "../read-property.ts";
import type { IncomingRequest } from "../request-context.ts";
import { isClientError } from "./client-error.ts";

/**
 * Records what a route failed with. Not recorded: an error that says that the request was wrong (status 400 to 499), and
 * one that only says that the client has gone. Nor is it when the framework goes on to print it, as Express does.
 */
export function recordRouteError(framework: string, error: unknown, incoming: IncomingRequest | undefined): void {
  if (isClientError(error) || isAbort(error, incoming)) passOver(error, incoming);
  else recordFailure(framework, error, incoming);
}

function passOver(error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  client?.guard(() => client.requests.passOver(error, incoming), undefined)();
}

/** Records an error, whatever its status, as that of the request, or of the one that the running code serves. */
export function recordFailure(framework: string, error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  client?.guard(() => client.captureRouteError(error, framework, incoming), undefined)();
}

/** Whether an error is what Node makes of a client that hangs up: the service did nothing wrong. */
function isAbort(error: unknown, incoming: unknown): boolean {
  const socket = readProperty(incoming, "socket");
  if (
    error !== undefined &&
    (error === readProperty(incoming, "errored") || error === readProperty(socket, "errored"))
  ) {
    return true;
  }
  const isGone = readProperty(socket, "destroyed") === true || socket === null;
  return isGone && goneCodes.has(String(readProperty(error, "code")));
}

/** Of what is written to, or read from, a connection that the other side has left. */
const goneCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);
