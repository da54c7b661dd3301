import type { FastifyReply } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { HttpContext } from "../context.ts";

/** Space is freed by people, or by what expires. */
const retryAfterSeconds = 60;

/** Before the body is read: what is left of the disk is kept for telemetry, the inputs of unclaimed agents go first. */
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
