import { finished } from "node:stream";
import { limits } from "@whence/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { Shares, shareOwner } from "./shares.ts";

/** The largest body of an analysis that can be valid: every text at its bound, each byte escaped to two, and some room for names. */
export const analysisBodyBytesMax: number =
  2 * (limits.errorLogBytesMax + limits.filesMax * limits.fileContentBytesMax) + 1_048_576;
/** Owners that may have as much under way as one may. A body is held two or three times over until it is stored. */
const ownersMax = 4;
const retryAfterSeconds = 2;

/** Bytes of bodies that are being read, checked, or stored. */
export class BodyPlaces {
  readonly #bytes = new Shares({
    perOwnerMax: analysisBodyBytesMax,
    totalMax: ownersMax * analysisBodyBytesMax,
  });

  /**
   * Takes place for the body of a request until it is answered; beyond what its sender may have under way, throws
   * `WHENCE_ERR_BODIES_UNDER_WAY`, with `Retry-After`. To be called before the body is read.
   */
  take(request: FastifyRequest, reply: FastifyReply, scopeId: string): void {
    const { bodyLimit } = request.routeOptions;
    // Without a length it may be as long as the route allows.
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
