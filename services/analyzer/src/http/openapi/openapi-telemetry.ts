import { batchSchema, sentFilesRequestSchema } from "@whence/protocol";
import { byKey } from "../access.ts";
import type { ApiComponents } from "./openapi-components.ts";
import { commonErrors, errorResponse } from "./openapi-errors.ts";
import { accessOf } from "./openapi-route.ts";

/** The gateway's operations, described here because the gateway serves no documents. */
export function telemetryPaths(components: ApiComponents) {
  return {
    "/api/telemetry/events": {
      post: {
        operationId: "receive_telemetry",
        summary: "Store a batch of events; an invalid event is rejected without the rest of its batch",
        ...takes(components.reference(batchSchema, "TelemetryBatch"), {
          413: errorResponse("The batch is too large."),
          429: errorResponse("Too many batches, or the day's events are used up. Retry-After says when to try again."),
        }),
      },
    },
    "/api/telemetry/sources": {
      post: {
        operationId: "receive_sources",
        summary: "Store files of a program that an investigation lacks, sent by one of its processes",
        ...takes(components.reference(sentFilesRequestSchema, "SentFiles"), {
          413: errorResponse("The files are too large together."),
          429: errorResponse("Too many requests, or the day's events are used up. Retry-After says when to try again."),
        }),
      },
    },
  };
}

/** What the gateway's operations have in common: who may call them, how bodies are encoded, and what is refused. */
function takes(schema: object, ownErrors: Readonly<Record<number, object>>) {
  return {
    tags: ["telemetry"],
    ...accessOf(byKey("send").config.access),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      202: { description: "Successful Response", content: { "application/json": { schema: {} } } },
      ...commonErrors,
      400: errorResponse("The body is not valid gzip."),
      401: errorResponse("The key is unknown, revoked, or expired."),
      403: errorResponse("The key may not send telemetry."),
      415: errorResponse("The body is neither JSON nor gzipped JSON."),
      ...ownErrors,
    },
  };
}
