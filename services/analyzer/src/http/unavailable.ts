import type { WhenceError } from "@whence/protocol";
import type { FastifyReply } from "fastify";

/** A database that restarts is back within seconds. */
const retryAfterSeconds = 5;
const statusUnavailable = 503;

/** Whether a port cannot answer now: not our fault, not the caller's, and soon over. */
export function isUnavailability(error: WhenceError): boolean {
  return error.status === statusUnavailable;
}

/** Says when to come back, and what for: the error's own text names hosts and files, which are not the caller's business. */
export function sayUnavailable(reply: FastifyReply): string {
  reply.code(statusUnavailable).header("retry-after", retryAfterSeconds);
  return `the service cannot do this now: try again in ${retryAfterSeconds} seconds`;
}
