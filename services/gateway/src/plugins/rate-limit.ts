import { minuteMs, rateAddress } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import { senderOf } from "./sender.ts";

/** Unknown keys that one address may try. A key has 256 bits, so this limits the work, not the odds. */
const unknownKeysPerMinutePerAddress = 60;

/**
 * Returns a hook that counts the request against its key's rate, and answers 429 with `Retry-After` above it. Each
 * process counts on its own.
 */
export function limitRatePerKey(
  app: FastifyInstance,
  max: number,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const keyGenerator = (request: FastifyRequest): string => senderOf(request).keyId;
  const check = app.createRateLimit({ max, timeWindow: minuteMs, keyGenerator });
  return async (request, reply) => {
    const result = await check(request);
    if (!result.isAllowed && result.isExceeded) refuse(reply, result.ttlInSeconds);
  };
}

/** The number of unknown keys that an address tried within a minute. */
export interface GuessLimit {
  /** Throws 429 with `Retry-After` once the address has no guesses left, without looking up its key. */
  refuseWhenSpent(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  count(request: FastifyRequest): Promise<void>;
}

export function limitGuesses(app: FastifyInstance): GuessLimit {
  const keyGenerator = (request: FastifyRequest): string => rateAddress(request.ip);
  const check = app.createRateLimit({ max: unknownKeysPerMinutePerAddress, timeWindow: minuteMs, keyGenerator });
  return {
    async refuseWhenSpent(request, reply) {
      const result = await check(request, { increment: false });
      if (!result.isAllowed && result.remaining === 0) refuse(reply, result.ttlInSeconds);
    },
    async count(request) {
      await check(request);
    },
  };
}

function refuse(reply: FastifyReply, ttlInSeconds: number): never {
  const seconds = Math.max(1, ttlInSeconds);
  reply.header("retry-after", seconds);
  throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_RATE", [seconds]);
}
