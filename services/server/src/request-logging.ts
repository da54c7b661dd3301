import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Config } from "./config.ts";

/** The logging options of the HTTP server. */
export interface RequestLogging {
  readonly genReqId: (request: IncomingMessage) => string;
  readonly logger: {
    readonly level: Config["logLevel"];
    readonly serializers: { readonly req: (request: FastifyRequest) => Record<string, unknown> };
  };
}

/** A request id that a caller may set: short, and without anything that could break a log line. */
const givenId = /^[\w.-]{1,64}$/;

/**
 * Returns logging options for one JSON line per request and one per answer, with a request id, which is the caller's
 * `X-Request-Id` when it is plain. Headers and query strings are never logged, since they contain keys, cookies, and
 * claim tokens.
 */
export function requestLogging(level: Config["logLevel"]): RequestLogging {
  return {
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && givenId.test(given) ? given : randomUUID();
    },
    logger: {
      level,
      serializers: {
        req: ({ method, url, ip }) => ({ method, path: url.split("?", 1)[0], remote: ip }),
      },
    },
  };
}
