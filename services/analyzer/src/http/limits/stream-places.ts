import { finished } from "node:stream";
import { limits } from "@whence/protocol";
import { isAgentScope } from "@whence/storage";
import type { FastifyReply } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { Caller } from "../viewer.ts";
import { Shares, shareOwner } from "./shares.ts";

/** How often one stream queries the database for new steps, because any analyzer may run the investigation. */
const lookIntervalMs = 150;
/** The interval between the queries of all of an organization's streams together. */
const sharedLookIntervalMs = 15;
/** By then most investigations have ended, and their streams with them. */
const retryAfterSeconds = 5;

/** An open event stream. */
export interface StreamPlace {
  /** The time between two queries, which grows with the number of the organization's streams. */
  readonly lookIntervalMs: () => number;
}

/** Limits the event streams open in this process, per reader. */
export class StreamPlaces {
  readonly #byKey = new Shares({ perOwnerMax: limits.streamsPerKeyMax });
  readonly #byOwner = new Shares({ perOwnerMax: limits.streamsPerOrganizationMax });

  /**
   * Takes a place until the reply has ended. Throws `WHENCE_ERR_STREAMS_OPEN` at the limit of the key, the person, or
   * their organization.
   */
  open({ scopeId, author }: Caller, reply: FastifyReply): StreamPlace {
    const isUnclaimed = isAgentScope(scopeId);
    const perKeyMax = isUnclaimed ? limits.streamsPerUnclaimedAgentMax : limits.streamsPerKeyMax;
    const owner = shareOwner(scopeId);
    const leaveKey = this.#byKey.take(author.id, 1, perKeyMax);
    if (!leaveKey) throw tooMany(reply, perKeyMax);
    const leaveOwner = this.#byOwner.take(owner, 1);
    if (!leaveOwner) {
      leaveKey();
      throw tooMany(reply, limits.streamsPerOrganizationMax);
    }
    finished(reply.raw, () => {
      leaveKey();
      leaveOwner();
    });
    return {
      lookIntervalMs: () => Math.max(lookIntervalMs, this.#byOwner.held(owner) * sharedLookIntervalMs),
    };
  }
}

function tooMany(reply: FastifyReply, max: number): Error {
  reply.header("retry-after", retryAfterSeconds);
  return analyzerErrors.create("WHENCE_ERR_STREAMS_OPEN", [max]);
}
