import type { WhenceError } from "@whence/protocol";
import type { FastifyReply } from "fastify";

/** A database that restarts is back within seconds. */
const retryAfterSeconds = 5;
const statusUnavailable = 503;

/** Whether the error means that a port is temporarily unavailable, which is neither a bug nor the caller's fault. */
export function isUnavailability(error: WhenceError): boolean {
  return error.status === statusUnavailable;
}

/** Sets `Retry-After` and returns a text for the caller, because the error's own text names hosts and files. */
export function sayUnavailable(reply: FastifyReply): string {
  reply.code(statusUnavailable).header("retry-after", retryAfterSeconds);
  return `the service cannot do this now: try again in ${retryAfterSeconds} seconds`;
}
