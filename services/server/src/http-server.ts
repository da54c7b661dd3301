import { answerUnreadablePath } from "@whence/analyzer";
import { limits } from "@whence/protocol";
import Fastify, { type FastifyInstance } from "fastify";
import { answerClientError } from "./client-errors.ts";
import type { Config } from "./config.ts";
import { serverErrors } from "./errors.ts";
import { withoutPorts } from "./forwarded-for.ts";
import { requestLogging } from "./request-logging.ts";

/**
 * A slow client must not hold a connection without end: its headers and its body have to arrive within these, and a
 * connection between two requests is closed after the last.
 */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
/** How often Node looks for connections beyond these times; its default of 30 s would let them be twice as long. */
const connectionsCheckIntervalMs = 5_000;

/** An HTTP server that isn't listening yet. */
export function createApp({ logLevel, trustedProxies }: Config): FastifyInstance {
  const app = Fastify({
    ...requestLogging(logLevel),
    ...(trustedProxies === undefined ? {} : { trustProxy: trustedProxies }),
    // A service's name is the longest that a path takes.
    routerOptions: { maxParamLength: limits.serviceLengthMax },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckIntervalMs,
      // Refused below, in our words.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    // A client on a kept connection learns that it has to go elsewhere, and does.
    return503OnClosing: true,
    frameworkErrors: answerUnreadablePath,
    forceCloseConnections: "idle",
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      const { status, message, code } = serverErrors.create("WHENCE_ERR_REQUEST_MALFORMED");
      return reply.code(status).send({ detail: message, code });
    }
    const forwardedFor = request.headers["x-forwarded-for"];
    if (typeof forwardedFor === "string") request.headers["x-forwarded-for"] = withoutPorts(forwardedFor);
  });
  return app;
}
