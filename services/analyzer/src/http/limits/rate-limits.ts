import { minuteMs, rateAddress } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { RateLimits } from "../context.ts";

const hourMs = 60 * minuteMs;

/** Counts the request against a limit; beyond it, 429 with `Retry-After` is thrown. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RouteRateLimits {
  readonly register: RateLimit;
  /** Per key or person; `request.principal` or `request.caller` must be known. */
  readonly analyze: RateLimit;
  /** Per address, of agents that no organization has claimed: of those one address may have many. */
  readonly unclaimedAnalyze: RateLimit;
  /** Like `analyze`, with a count of its own. */
  readonly preview: RateLimit;
  /** Like `analyze`, with a count of its own. */
  readonly question: RateLimit;
  /** Lists of a release's source files, per organization; `request.principal` must be known. */
  readonly sourceList: RateLimit;
  /** Per person: each sends a message to every recipient of a rule. */
  readonly notificationTest: RateLimit;
  /** Every attempt counts, before the password is looked at: guessing is what it slows. */
  readonly signIn: RateLimit;
}

const notificationTestsPerMinute = 10;

/** The limits of one process: with several analyzers each counts for itself (`docs/limits.md`). */
export function createRateLimits(app: FastifyInstance, limits: RateLimits): RouteRateLimits {
  const byAddress = (request: FastifyRequest): string => rateAddress(request.ip);
  const byCaller = ({ principal, caller, ip }: FastifyRequest): string =>
    principal?.keyId ?? caller?.author.id ?? rateAddress(ip);
  const byScope = ({ principal, ip }: FastifyRequest): string => principal?.scopeId ?? rateAddress(ip);
  return {
    register: limit(app, limits.registerPerHourPerAddress, hourMs, byAddress),
    analyze: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    unclaimedAnalyze: limit(app, limits.unclaimedAnalysesPerHourPerAddress, hourMs, byAddress),
    preview: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    question: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    sourceList: limit(app, limits.sourceListsPerMinutePerOrganization, minuteMs, byScope),
    notificationTest: limit(app, notificationTestsPerMinute, minuteMs, byCaller),
    signIn: limit(app, limits.signInPerMinutePerAddress, minuteMs, byAddress),
  };
}

/** Wrong operator tokens of one address. A token is 256 bits, so this bounds the work, not the odds. */
const operatorGuessesPerMinutePerAddress = 20;

/** To be asked for each wrong token. */
export function operatorGuessLimit(app: FastifyInstance): RateLimit {
  return limit(app, operatorGuessesPerMinutePerAddress, minuteMs, (request) => rateAddress(request.ip));
}

function limit(
  app: FastifyInstance,
  max: number,
  timeWindow: number,
  keyGenerator: (request: FastifyRequest) => string,
): RateLimit {
  const check = app.createRateLimit({ max, timeWindow, keyGenerator });
  return async (request, reply) => {
    const result = await check(request);
    if (result.isAllowed || !result.isExceeded) return;
    const seconds = Math.max(1, result.ttlInSeconds);
    reply.header("retry-after", seconds);
    throw analyzerErrors.create("WHENCE_ERR_RATE_LIMITED", [seconds]);
  };
}
