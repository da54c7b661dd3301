import { ValidationFailure, violation, WhenceError } from "@whence/protocol";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { isUnavailability, sayUnavailable } from "./unavailable.ts";

const statusInsufficientStorage = 507;

/** Converts a route's error to the documented answer; unexpected ones are logged and answered with 500. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = translate(error, request);
  // A route may have set another type before it failed.
  reply.type("application/json; charset=utf-8");
  if (known instanceof ValidationFailure) return reply.code(422).send({ detail: known.detail });
  if (known instanceof WhenceError && isRefusal(known)) return send(reply, known);
  request.log.error({ err: error }, "request failed");
  if (known instanceof WhenceError && isUnavailability(known)) {
    return reply.send({ detail: sayUnavailable(reply), code: known.code });
  }
  return send(reply, analyzerErrors.create("WHENCE_ERR_INTERNAL"));
}

/** Whether the service works and rejects the request, so that there is nothing to look into. */
function isRefusal({ status }: WhenceError): boolean {
  return status < 500 || status === statusInsufficientStorage;
}

/** Answers an unknown path. */
export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, unknownRoute(request));
}

function unknownRoute({ method, url }: FastifyRequest): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_ROUTE_UNKNOWN", [method, url.split("?", 1)[0] ?? "/"]);
}

/**
 * Answers a path that no router can read (`/api/incidents/%zz`). Set as a server's `frameworkErrors`, since the router
 * fails before any route or plugin is known.
 */
export function answerUnreadablePath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  answerUnknownRoute(request, reply);
}

function send(reply: FastifyReply, error: WhenceError): FastifyReply {
  return reply.code(error.status).send({ detail: error.message, code: error.code });
}

/** Converts Fastify's own errors to our messages; returns others unchanged. */
export function translate(error: FastifyError | Error, request: FastifyRequest): Error {
  if (!("code" in error)) return error;
  switch (error.code) {
    // Raised for QUERY, which no path supports.
    case "FST_ERR_ROUTE_MISSING_CONTENT_TYPE":
      return unknownRoute(request);
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return violation(["body"], "missing", "Field required");
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return violation(["body"], "json_invalid", "JSON decode error");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return violation(["header", "Content-Type"], "value_error", "Input should be application/json");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return violation(["header", "Content-Length"], "value_error", "Input should be the length of the body");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return analyzerErrors.create("WHENCE_ERR_BODY_TOO_LARGE", [request.routeOptions.bodyLimit]);
    default:
      return error;
  }
}
