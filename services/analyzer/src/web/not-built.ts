import type { FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { isAskedByPerson } from "./asked-by-person.ts";

/** Half of what the shorter of the builds beside a first start takes. */
const retryAfterSeconds = 5;

/**
 * Answers a request for build output that is missing: `pnpm start` builds the clients and the documentation while the
 * service already runs. A person's browser asks again on its own, as npm and pip do.
 */
export function answerNotBuilt(
  request: FastifyRequest,
  reply: FastifyReply,
  code: "WHENCE_ERR_CLIENTS_NOT_BUILT" | "WHENCE_ERR_DOCS_NOT_BUILT" | "WHENCE_ERR_PAGE_NOT_BUILT",
): FastifyReply {
  const { status, message } = analyzerErrors.create(code);
  reply.code(status).headers({ "retry-after": retryAfterSeconds, "cache-control": "no-store" });
  if (!isAskedByPerson(request)) return reply.send({ detail: message, code });
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.\n`;
  return reply.header("refresh", retryAfterSeconds).type("text/plain; charset=utf-8").send(text);
}
