import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { isClientError } from "./client-error.ts";

/**
 * Records a route's error, unless it means that the request was bad (status 400 to 499), or that the client
 * disconnected. Such an error isn't recorded either when the framework prints it, as Express does.
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
 * Records an error, whatever its status, for the given request or the one that the running code serves, unless it means
 * that the client disconnected.
 */
export function recordFailure(framework: string, error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  const isGone = isAbort(error, incoming);
  if (!isGone) client?.guard(() => client.capture.routeError(error, framework, incoming), undefined)();
  // A value without a stack, such as a string, isn't recognized by it when the framework prints it.
  if (isGone || readProperty(error, "stack") === undefined) passOver(error, incoming);
}

/** Marks an error as a failed request rather than a failed service, so that printing it doesn't report it. */
export function passOver(error: unknown, incoming: IncomingRequest | undefined): void {
  const client = currentClient();
  client?.guard(() => client.requests.passOver(error, incoming), undefined)();
}

/**
 * Whether an error only means that the client disconnected, so the service didn't fail. The error's code matters,
 * because a failing stream of the program's own also ends the connection; so does the stream it belongs to, because
 * clients also disconnect while the service waits for another one that doesn't respond.
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
  // Work that the program started for a client, and aborted when the client disconnected.
  if (readProperty(error, "name") === "AbortError" || code === axiosAborted) return true;
  return goneCodes.has(code) && readProperty(error, "syscall") !== "connect";
}

function isFailureOf(stream: unknown, error: unknown): boolean {
  return error !== undefined && readProperty(stream, "errored") === error;
}

/** Codes of streams whose other end has disconnected. */
const goneCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);
/** The prefix of codes for a request that broke off, or continued with invalid HTTP. */
const parseError = "HPE_";
/**
 * Express's message when the client of a file download disconnects. HTTP clients such as axios use the same code with
 * other messages.
 */
const expressAborted = "Request aborted";
const axiosAborted = "ERR_CANCELED";
