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

/** What a caller may name its request: short, and nothing that could break a line of a log. */
const givenId = /^[\w.-]{1,64}$/;

/**
 * One JSON line a request and an answer, tied together by a request id, which is the caller's `X-Request-Id` when it is
 * plain. No header and no query is ever logged: keys, cookies and claim tokens are in them.
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
