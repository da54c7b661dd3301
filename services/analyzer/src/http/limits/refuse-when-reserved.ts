import type { FastifyReply } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { HttpContext } from "../context.ts";

/** Space is freed when data expires or someone deletes some. */
const retryAfterSeconds = 60;

/**
 * Refuses a request before its body is read while the free disk space is reserved for telemetry. Input of unclaimed
 * agents is refused first.
 */
export async function refuseWhenReserved(
  { disk, metrics }: Pick<HttpContext, "disk" | "metrics">,
  reply: FastifyReply,
  what: "unclaimed-inputs" | "inputs",
): Promise<void> {
  if (!(await disk.refuses(what))) return;
  metrics.inputsRefused.inc({ reason: "disk" });
  reply.header("retry-after", retryAfterSeconds);
  throw analyzerErrors.create("WHENCE_ERR_DISK_RESERVED", [retryAfterSeconds]);
}
