import { limits } from "@whence/protocol";
import { type Queue, telemetryTopic } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { senderOf } from "../plugins/sender.ts";
import type { ReceivedBody } from "../plugins/unpack.ts";
import { takeBatch } from "./take-batch.ts";
import type { RejectedEvent } from "./validate.ts";

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

/** A request without a content type has none. */
const noBody: ReceivedBody = { text: "", value: undefined };

/** `POST /api/telemetry/events`. */
export function telemetryRoute(app: FastifyInstance, { queue, clock, admission }: TelemetryRouteOptions): void {
  app.post<{ Body: ReceivedBody | undefined }>(
    "/api/telemetry/events",
    { bodyLimit: limits.batchBytesMax, onRequest: admission },
    async (request, reply): Promise<BatchReceipt> => {
      const { scopeId, settings } = senderOf(request);
      const receivedAt = new Date(clock()).toISOString();
      const frame = { scopeId, receivedAt, retentionDays: settings.retentionDays };
      const { messages, accepted, rejected } = takeBatch(request.body ?? noBody, frame);
      // Resolves once they would survive the death of this process; rejects when they might not.
      await queue.publish(telemetryTopic, messages);
      reply.code(202);
      return { accepted, rejected };
    },
  );
}
