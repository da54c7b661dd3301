import { answerUnreadablePath } from "@whence/analyzer";
import { limits } from "@whence/protocol";
import Fastify, { type FastifyInstance } from "fastify";
import { answerClientError } from "./client-errors.ts";
import type { Config } from "./config.ts";
import { serverErrors } from "./errors.ts";
import { withoutPorts } from "./forwarded-for.ts";
import { requestLogging } from "./request-logging.ts";

/**
 * Timeouts for a request's headers and body, so that a slow client can't hold a connection indefinitely, and for idle
 * connections.
 */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
/**
 * How often Node checks for connections beyond these timeouts. Its default of 30 s would let them last twice as long.
 */
const connectionsCheckIntervalMs = 5_000;

/** Creates an HTTP server that isn't listening yet. */
export function createApp({ logLevel, trustedProxies }: Config): FastifyInstance {
  const app = Fastify({
    ...requestLogging(logLevel),
    ...(trustedProxies === undefined ? {} : { trustProxy: trustedProxies }),
    // A service's name is the longest parameter in a path.
    routerOptions: { maxParamLength: limits.serviceLengthMax },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckIntervalMs,
      // Rejected below, with our own message.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    // Tells a client on a kept-alive connection to reconnect elsewhere.
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
