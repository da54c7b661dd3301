import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { isClientError } from "./client-error.ts";

/**
 * Records what a route failed with. Not recorded: an error that says that the request was wrong (status 400 to 499),
 * and one that only says that the client has gone. Nor is it when the framework goes on to print it, as Express does.
 */
export function recordRouteError(
  framework: string,
  error: unknown,
  incoming: IncomingRequest | undefined,
  answerStatus?: unknown,
): void {
  if (isClientError(error, answerStatus)) passOver(error, incoming);
  else recordFailure(framework, error, incoming);
}

/**
 * Records an error, whatever its status, as that of the request, or of the one that the running code serves; unless it
 * only says that the client has gone.
 */
export function recordFailure(framework: string, error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  const isGone = isAbort(error, incoming);
  if (!isGone) client?.guard(() => client.capture.routeError(error, framework, incoming), undefined)();
  // What has no stack, such as a text, is not known by it when the framework prints it.
  if (isGone || readProperty(error, "stack") === undefined) passOver(error, incoming);
}

/** The request failed, and the service has not: what is printed of the error is no failure either. */
export function passOver(error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  client?.guard(() => client.requests.passOver(error, incoming), undefined)();
}

/**
 * Whether an error only means that the client disconnected, so the service didn't fail. Its code matters, because a
 * failing stream of the program's own also ends the connection. So does the stream it belongs to, because clients also
 * disconnect while the service waits for another one that doesn't respond.
 */
function isAbort(error: unknown, incoming: unknown): boolean {
  const code = String(readProperty(error, "code"));
  const socket = readProperty(incoming, "socket");
  if (isFailureOf(incoming, error) || isFailureOf(socket, error)) {
    return goneCodes.has(code) || code === "ETIMEDOUT" || code.startsWith(parseError);
  }
  const isGone = readProperty(incoming, "aborted") === true || readProperty(socket, "destroyed") === true;
  if (!isGone && socket !== null) return false;
  if (code === "ECONNABORTED") return readProperty(error, "message") === expressAborted;
  // What the program began for a client, and gave up when that had gone.
  if (readProperty(error, "name") === "AbortError" || code === axiosAborted) return true;
  return goneCodes.has(code) && readProperty(error, "syscall") !== "connect";
}

function isFailureOf(stream: unknown, error: unknown): boolean {
  return error !== undefined && readProperty(stream, "errored") === error;
}

/** Of what is written to, or read from, a connection that the other side has left. */
const goneCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);
/** Of a request that broke off, or went on as no HTTP. */
const parseError = "HPE_";
/** Of a file whose client has gone, in Express. Clients of HTTP, such as axios, have other words for the same code. */
const expressAborted = "Request aborted";
const axiosAborted = "ERR_CANCELED";
