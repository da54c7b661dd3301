import { limits, ValidationFailure, WhenceError } from "@whence/protocol";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";

/** When a client is to try again after the service could not take a batch. */
const retryAfterSeconds = 5;

/** The answer to whatever the route threw. What is not the client's doing is 503, so that it sends the batch again. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ValidationFailure) return reply.code(422).send({ detail: error.detail });
  const known = translate(error);
  if (known !== undefined && known.status < 500) return send(reply, known);
  if (request.raw.readableAborted) request.log.info("a client went away before its batch was whole");
  else request.log.error({ err: error }, "a batch was not taken");
  reply.header("retry-after", retryAfterSeconds);
  return send(reply, gatewayErrors.create("WHENCE_ERR_TELEMETRY_UNAVAILABLE", [retryAfterSeconds]));
}

function send(reply: FastifyReply, error: WhenceError): FastifyReply {
  return reply.code(error.status).send({ detail: error.message, code: error.code });
}

/** Our own errors, and Fastify's refusals in our words; undefined for what nobody foresaw. */
function translate(error: FastifyError | Error): WhenceError | undefined {
  if (error instanceof WhenceError) return error;
  switch ("code" in error ? error.code : undefined) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return gatewayErrors.create("WHENCE_ERR_BATCH_TOO_LARGE", [limits.batchBytesMax, "on the wire"]);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return gatewayErrors.create("WHENCE_ERR_BATCH_TYPE", ["this content type"]);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return gatewayErrors.create("WHENCE_ERR_BATCH_CORRUPT");
    default:
      return undefined;
  }
}
