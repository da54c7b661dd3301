import { finished } from "node:stream";
import { limits } from "@whence/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { Shares, shareOwner } from "./shares.ts";

/**
 * The size of the largest valid analysis: every text at its limit, each byte escaped to two, and some room for names.
 */
export const analysisBodyBytesMax: number =
  2 * (limits.errorLogBytesMax + limits.filesMax * limits.fileContentBytesMax) + 1_048_576;
/** How many owners can use their whole allowance at once. A body is in memory two or three times until it is stored. */
const ownersMax = 4;
const retryAfterSeconds = 2;

/** Limits the bytes of bodies that are being read, checked, or stored. */
export class BodyPlaces {
  readonly #bytes = new Shares({
    perOwnerMax: analysisBodyBytesMax,
    totalMax: ownersMax * analysisBodyBytesMax,
  });

  /**
   * Reserves memory for a request's body until the request is answered. Throws `WHENCE_ERR_BODIES_UNDER_WAY`, with
   * `Retry-After`, beyond the sender's limit. Call it before the body is read.
   */
  take(request: FastifyRequest, reply: FastifyReply, scopeId: string): void {
    const { bodyLimit } = request.routeOptions;
    // Without a length, the body may be as long as the route allows.
    const bytes = Math.min(Number(request.headers["content-length"] ?? bodyLimit), bodyLimit);
    const leave = this.#bytes.take(shareOwner(scopeId), Number.isNaN(bytes) ? bodyLimit : bytes);
    if (leave) {
      finished(reply.raw, leave);
      return;
    }
    reply.header("retry-after", retryAfterSeconds);
    throw analyzerErrors.create("WHENCE_ERR_BODIES_UNDER_WAY", [retryAfterSeconds]);
  }
}
