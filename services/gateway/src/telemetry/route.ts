import { limits, monitoredEnv, type WatchAnswer } from "@whence/protocol";
import { type Queue, telemetryTopic } from "@whence/storage";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GatewayMetrics } from "../metrics.ts";
import type { Quota } from "../plugins/quota.ts";
import { senderOf } from "../plugins/sender.ts";
import type { Hook } from "../plugins/shed-load.ts";
import type { ReceivedBody } from "../plugins/unpack.ts";
import { frameOf } from "./batch-frame.ts";
import { type TakenBatch, takeBatch } from "./take-batch.ts";
import type { RejectedEvent } from "./validate.ts";
import type { WantedFiles } from "./wanted-files.ts";
import type { WatchOrders } from "./watch-orders.ts";

/** The answer to a batch: the number of its events that are stored durably, and those that are rejected. */
export interface BatchReceipt {
  readonly accepted: number;
  readonly rejected: readonly RejectedEvent[];
  /** Files of the release that an investigation lacks. Absent for a batch without a release. */
  readonly wanted_files?: readonly string[];
  /** What the process is asked to watch; absent when that isn't known, or the program doesn't allow it. */
  readonly watch?: WatchAnswer;
}

type Request = FastifyRequest<{ Body: ReceivedBody | undefined }>;

export interface TelemetryRouteOptions {
  readonly queue: Queue;
  readonly clock: () => number;
  readonly metrics: GatewayMetrics;
  readonly quota: Quota;
  /** Without it, no files are asked for. */
  readonly wanted: WantedFiles | undefined;
  /** Without it, no process is asked to watch anything. */
  readonly orders: WatchOrders | undefined;
  /** In order, before the body is read. */
  readonly admission: Hook[];
}

/** The body of a request without a content type. */
const emptyBody: ReceivedBody = { text: "", value: undefined };

/** `POST /api/telemetry/events`. */
export function telemetryRoute(app: FastifyInstance, options: TelemetryRouteOptions): void {
  const { queue, clock, metrics, quota, wanted, orders, admission } = options;
  app.post<{ Body: ReceivedBody | undefined }>(
    "/api/telemetry/events",
    {
      bodyLimit: limits.batchBytesMax,
      // Two lines per batch would be most of a busy log; the metrics count them.
      logLevel: "warn",
      onRequest: admission,
      onResponse: async (_request, reply) => {
        metrics.duration.observe({ status: reply.statusCode }, reply.elapsedTime / 1_000);
      },
    },
    async (request, reply): Promise<BatchReceipt> => {
      // The memory stays accounted for until the queue has the batch, even if the client has disconnected.
      const leave = request.place?.share();
      try {
        const { messages, header, accepted, rejected, failing } = take(request, clock);
        const { service, env, release } = header;
        // Resolves once the messages would survive the death of this process; rejects when they might not.
        await queue.publish(telemetryTopic, messages);
        quota.count(request, accepted);
        metrics.events.inc({ outcome: "accepted" }, accepted);
        if (rejected.length > 0) metrics.events.inc({ outcome: "rejected" }, rejected.length);
        reply.code(202);
        if (!wanted || release === undefined) return { accepted, rejected };
        const of = { scopeId: senderOf(request).organizationId, service, release };
        const lacking = env === monitoredEnv ? failing : [];
        // A client that sends no events only asks, and waits for the answer.
        const files = messages.length === 0 ? await wanted.ask(of) : await wanted.answer(of, lacking);
        const program = { ...of, env };
        const watch = orders && header.watch ? await orders.answer(program, header.instance, header.watch) : undefined;
        return { accepted, rejected, wanted_files: files, ...(watch && { watch }) };
      } finally {
        leave?.();
      }
    },
  );
}

function take(request: Request, clock: () => number): TakenBatch {
  const taken = takeBatch(request.body ?? emptyBody, frameOf(senderOf(request), clock()));
  // The messages contain everything needed; the parsed objects would stay in memory until the queue answers.
  request.body = undefined;
  return taken;
}
