import { ValidationFailure, WhenceError } from "@whence/protocol";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics, RefusalReason } from "../metrics.ts";

/** When a client should retry a batch that the service couldn't accept. */
const retryAfterSeconds = 5;

/** Null where the code that throws counts the refusal, since it knows more. */
const reasons: Readonly<Record<keyof typeof gatewayErrors.table, RefusalReason | null>> = {
  WHENCE_ERR_TELEMETRY_KEY_UNKNOWN: "unknown_key",
  WHENCE_ERR_TELEMETRY_KEY_REVOKED: "revoked_key",
  WHENCE_ERR_TELEMETRY_KEY_EXPIRED: "expired_key",
  WHENCE_ERR_TELEMETRY_AGENT_KEY: "agent_key",
  WHENCE_ERR_TELEMETRY_KEY_SCOPE: "key_scope",
  WHENCE_ERR_SENTRY_KEY_MISSING: "unknown_key",
  WHENCE_ERR_SENTRY_KEY: "key_scope",
  WHENCE_ERR_SENTRY_PROJECT: "key_scope",
  WHENCE_ERR_SENTRY_ORIGIN: "origin",
  WHENCE_ERR_SENTRY_ENVELOPE: "corrupt",
  WHENCE_ERR_SENTRY_TOO_LARGE: "too_large",
  WHENCE_ERR_SENTRY_ENCODING: "type",
  WHENCE_ERR_OTLP_KEY_MISSING: "unknown_key",
  WHENCE_ERR_OTLP_BODY: "corrupt",
  WHENCE_ERR_OTLP_TOO_LARGE: "too_large",
  WHENCE_ERR_OTLP_TYPE: "type",
  WHENCE_ERR_BATCH_TOO_LARGE: "too_large",
  WHENCE_ERR_BATCH_TYPE: "type",
  WHENCE_ERR_BATCH_CORRUPT: "corrupt",
  WHENCE_ERR_TELEMETRY_RATE: "rate",
  WHENCE_ERR_TELEMETRY_QUOTA: "quota",
  WHENCE_ERR_TELEMETRY_OVERLOADED: null,
  WHENCE_ERR_TELEMETRY_DISK_FULL: null,
  WHENCE_ERR_TELEMETRY_UNAVAILABLE: "unavailable",
};

/**
 * Returns the handler for errors of the route. Errors that the client didn't cause are answered with 503, so that it
 * sends the batch again.
 */
export function answerErrors({ refusedBatches }: GatewayMetrics) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof ValidationFailure) {
      refusedBatches.inc({ reason: "invalid" });
      return reply.code(422).send({ detail: error.detail });
    }
    const known = translate(error);
    if (known !== undefined && isOurs(known.code)) {
      const reason = reasons[known.code];
      if (reason !== null) refusedBatches.inc({ reason });
      return send(reply, known);
    }
    if (request.raw.readableAborted) {
      refusedBatches.inc({ reason: "aborted" });
      request.log.info("a client went away before its batch was whole");
    } else {
      refusedBatches.inc({ reason: "unavailable" });
      request.log.error({ err: error }, "a batch was not taken");
    }
    reply.header("retry-after", retryAfterSeconds);
    return send(reply, gatewayErrors.create("WHENCE_ERR_TELEMETRY_UNAVAILABLE", [retryAfterSeconds]));
  };
}

function isOurs(code: string): code is keyof typeof gatewayErrors.table {
  return Object.hasOwn(gatewayErrors.table, code);
}

function send(reply: FastifyReply, error: WhenceError): FastifyReply {
  return reply.code(error.status).send({ detail: error.message, code: error.code });
}

/** Returns our own errors, and Fastify's in our words; undefined for unexpected ones. */
function translate(error: FastifyError | Error): WhenceError | undefined {
  if (error instanceof WhenceError) return error;
  const isType = "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  return isType ? gatewayErrors.create("WHENCE_ERR_BATCH_TYPE", ["this content type"]) : undefined;
}
