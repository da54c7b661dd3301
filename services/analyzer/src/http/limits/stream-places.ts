import { finished } from "node:stream";
import { limits } from "@whence/protocol";
import { isAgentScope } from "@whence/storage";
import type { FastifyReply } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { Caller } from "../viewer.ts";
import { Shares, shareOwner } from "./shares.ts";

/** How often one stream asks the database for new steps: any analyzer may be the one that investigates. */
const lookIntervalMs = 150;
/** All streams of an organization together ask once in this time, however many there are. */
const sharedLookIntervalMs = 15;
/** Most investigations, whose streams then end, are over by then. */
const retryAfterSeconds = 5;

/** An event stream that may be open. */
export interface StreamPlace {
  /** How long to wait between two looks: the longer, the more streams the organization has. */
  readonly lookIntervalMs: () => number;
}

/** The event streams that are open in this process, bounded by who reads them. */
export class StreamPlaces {
  readonly #byKey = new Shares({ perOwnerMax: limits.streamsPerKeyMax });
  readonly #byOwner = new Shares({ perOwnerMax: limits.streamsPerOrganizationMax });

  /** A place until the reply has ended. Throws `WHENCE_ERR_STREAMS_OPEN` when the key, the person, or their organization has as many as it may have. */
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
