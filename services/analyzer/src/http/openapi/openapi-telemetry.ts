import { batchSchema, sentFilesRequestSchema } from "@whence/protocol";
import { byKey } from "../access.ts";
import type { ApiComponents } from "./openapi-components.ts";
import { commonErrors, errorResponse } from "./openapi-errors.ts";
import { accessOf } from "./openapi-route.ts";

/** The gateway's operations, described here because the gateway serves no documents. */
export function telemetryPaths(components: ApiComponents) {
  const body = components.reference(batchSchema, "TelemetryBatch");
  const files = components.reference(sentFilesRequestSchema, "SentFiles");
  return {
    "/api/telemetry/events": {
      post: {
        operationId: "receive_telemetry",
        tags: ["telemetry"],
        summary: "Store a batch of events; an invalid event is rejected without the rest of its batch",
        ...accessOf(byKey("send").config.access),
        requestBody: { required: true, content: { "application/json": { schema: body } } },
        responses: {
          202: { description: "Successful Response", content: { "application/json": { schema: {} } } },
          ...commonErrors,
          400: errorResponse("The body is not valid gzip."),
          401: errorResponse("The key is unknown, revoked, or expired."),
          403: errorResponse("The key may not send telemetry."),
          413: errorResponse("The batch is too large."),
          415: errorResponse("The body is neither JSON nor gzipped JSON."),
          429: errorResponse("Too many batches, or the day's events are used up. Retry-After says when to try again."),
        },
      },
    },
    "/api/telemetry/sources": {
      post: {
        operationId: "receive_sources",
        tags: ["telemetry"],
        summary: "Store files of a program that an investigation lacks, sent by one of its processes",
        ...accessOf(byKey("send").config.access),
        requestBody: { required: true, content: { "application/json": { schema: files } } },
        responses: {
          202: { description: "Successful Response", content: { "application/json": { schema: {} } } },
          ...commonErrors,
          400: errorResponse("The body is not valid gzip."),
          401: errorResponse("The key is unknown, revoked, or expired."),
          403: errorResponse("The key may not send telemetry."),
          413: errorResponse("The files are too large together."),
          415: errorResponse("The body is neither JSON nor gzipped JSON."),
          429: errorResponse("Too many requests, or the day's events are used up. Retry-After says when to try again."),
        },
      },
    },
  };
}
