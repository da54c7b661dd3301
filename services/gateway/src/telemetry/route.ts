import { limits } from "@whence/protocol";
import type { Queue } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { senderOf } from "../plugins/sender.ts";
import { publishBatch } from "./publish.ts";
import { redactEvent } from "./redact.ts";
import { type RejectedEvent, validateBatch } from "./validate.ts";

/** The answer to a batch: how many of its events are stored for good, and which never will be. */
export interface BatchReceipt {
  readonly accepted: number;
  readonly rejected: readonly RejectedEvent[];
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface TelemetryRouteOptions {
  readonly queue: Queue;
  readonly clock: () => number;
  /** In their order, before the body is read. */
  readonly admission: Hook[];
}

/** `POST /api/telemetry/events`. */
export function telemetryRoute(app: FastifyInstance, { queue, clock, admission }: TelemetryRouteOptions): void {
  app.post(
    "/api/telemetry/events",
    { bodyLimit: limits.batchBytesMax, onRequest: admission },
    async (request, reply): Promise<BatchReceipt> => {
      const receivedAt = new Date(clock()).toISOString();
      const { header, accepted, rejected } = validateBatch(request.body);
      const batch = { ...header, events: accepted.map(redactEvent) };
      await publishBatch(queue, senderOf(request).scopeId, batch, receivedAt);
      reply.code(202);
      return { accepted: accepted.length, rejected };
    },
  );
}
