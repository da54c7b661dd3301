import { randomUUID } from "node:crypto";
import { limits } from "@whence/protocol";
import { type Principal, type Queue, telemetryTopic } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { KeyResolver } from "../plugins/authenticate.ts";
import { InvalidBatch } from "../plugins/error-handler.ts";
import type { TelemetryRateLimits } from "../plugins/rate-limit.ts";
import type { BatchMessage } from "./batch-message.ts";
import { redactEvent } from "./redact.ts";
import { type RejectedEvent, validateBatch } from "./validate.ts";

export interface TelemetryRouteOptions {
  readonly queue: Queue;
  readonly resolveKey: KeyResolver;
  readonly rateLimits: TelemetryRateLimits;
  readonly clock: () => number;
}

/** The answer to a batch. */
interface BatchReceipt {
  readonly accepted: number;
  readonly rejected: readonly RejectedEvent[];
}

const refusals = {
  unknown: "WHENCE_ERR_TELEMETRY_KEY_UNKNOWN",
  revoked: "WHENCE_ERR_TELEMETRY_KEY_REVOKED",
  expired: "WHENCE_ERR_TELEMETRY_KEY_EXPIRED",
} as const;

/** `POST /api/telemetry/events`: 202 once what was accepted is durable in the queue, and nothing else. */
export function telemetryRoute(app: FastifyInstance, options: TelemetryRouteOptions): void {
  app.post("/api/telemetry/events", {
    bodyLimit: limits.batchBytesMax,
    // Before the body is read, so that a stranger's megabyte costs nothing.
    onRequest: async (request, reply) => {
      request.sender = await authenticate(options, request, reply);
      await options.rateLimits.known(request, reply);
    },
    handler: async (request, reply): Promise<BatchReceipt> => {
      const { header, accepted, rejected } = validateBatch(request.body);
      if (accepted.length > 0 || header.dropped !== undefined) {
        await publish(options, {
          ...header,
          scope_id: request.sender?.scopeId ?? "",
          received_at: new Date(options.clock()).toISOString(),
          events: accepted.map(redactEvent),
        });
      }
      reply.code(202);
      return { accepted: accepted.length, rejected };
    },
  });
}

async function authenticate(
  { resolveKey, rateLimits }: TelemetryRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  const key = [request.headers["x-api-key"]].flat()[0];
  if (key === undefined) {
    throw new InvalidBatch([{ loc: ["header", "X-API-Key"], msg: "Field required", type: "missing" }]);
  }
  const found = await resolveKey(key);
  if (found.outcome !== "valid") {
    await rateLimits.refused(request, reply);
    throw gatewayErrors.create(refusals[found.outcome]);
  }
  if (found.principal.kind === "agent") throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_AGENT_KEY");
  return found.principal;
}

async function publish({ queue }: TelemetryRouteOptions, message: BatchMessage): Promise<void> {
  await queue.publish(telemetryTopic, [{ id: randomUUID(), body: JSON.stringify(message) }]);
}
