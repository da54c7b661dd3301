import type { DiskReserve } from "@whence/storage";
import type { FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics } from "../metrics.ts";

/** Space is freed by people or by expiry; clients keep their batches meanwhile. */
const retryAfterSeconds = 30;

/**
 * Returns a hook that answers 503 with `Retry-After` when the disk has only the space that the stores need for what
 * they hold already: a refused batch stays with its client, but a store that runs out of space stops for everyone.
 */
export function refuseWhenFull(disk: DiskReserve, metrics: GatewayMetrics) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await disk.refuses("telemetry"))) return;
    metrics.refusedBatches.inc({ reason: "disk_full" });
    reply.header("retry-after", retryAfterSeconds);
    throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_DISK_FULL", [retryAfterSeconds]);
  };
}
