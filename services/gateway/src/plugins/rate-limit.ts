import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";

const minuteMs = 60_000;
/** A client with a wrong key sends 12 batches a minute; many of them may share an address. */
const refusedPerMinutePerAddress = 300;

type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface TelemetryRateLimits {
  /** Per key. */
  readonly known: RateLimit;
  /** Per address, for keys that open nothing. */
  readonly refused: RateLimit;
}

/** The limits of one gateway: each process counts for itself. */
export async function createRateLimits(app: FastifyInstance, perMinutePerKey: number): Promise<TelemetryRateLimits> {
  await app.register(rateLimit, { global: false });
  return {
    known: limit(app, perMinutePerKey, (request) => request.sender?.keyId ?? request.ip),
    refused: limit(app, refusedPerMinutePerAddress, (request) => request.ip),
  };
}

function limit(app: FastifyInstance, max: number, keyGenerator: (request: FastifyRequest) => string): RateLimit {
  const check = app.createRateLimit({ max, timeWindow: minuteMs, keyGenerator });
  return async (request, reply) => {
    const result = await check(request);
    if (result.isAllowed || !result.isExceeded) return;
    const seconds = Math.max(1, result.ttlInSeconds);
    reply.header("retry-after", seconds);
    throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_RATE", [seconds]);
  };
}
