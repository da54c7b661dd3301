import { hourMs, minuteMs, monitorLimits, rateAddress, shareLimits } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { hashSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import { artifactLimits } from "../../sources/artifacts/artifact-limits.ts";
import type { RateLimits } from "../context.ts";

/** Counts a request against a limit; throws 429 with `Retry-After` beyond it. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RouteRateLimits {
  readonly register: RateLimit;
  /** Per key or person. `request.principal` or `request.caller` must be set. */
  readonly analyze: RateLimit;
  /** Per address, for agents that no organization has claimed: one address may have many. */
  readonly unclaimedAnalyze: RateLimit;
  /** Like `analyze`, counted separately. */
  readonly preview: RateLimit;
  /** Like `analyze`, counted separately. */
  readonly question: RateLimit;
  /** Lists of a release's source files, per organization. `request.principal` must be set. */
  readonly sourceList: RateLimit;
  /** Parts of bundles of built files, and bundles, per organization. `request.principal` must be set. */
  readonly artifact: RateLimit;
  /** Per person: each test sends a message to every recipient of a rule. */
  readonly notificationTest: RateLimit;
  /** Per person: each check is a request to an address that they chose. */
  readonly monitorTest: RateLimit;
  /** Per key, in the query. */
  readonly checkIn: RateLimit;
  /** Per person: each check costs a request to a model. */
  readonly modelCheck: RateLimit;
  /** Shared reports, per address. */
  readonly shared: RateLimit;
  /** Counts every attempt before the password is checked, to slow down guessing. */
  readonly signIn: RateLimit;
}

const queriedKeySchema = z.object({ key: z.string().min(1) });

const notificationTestsPerMinute = 10;
const modelChecksPerMinute = 10;
const checkInsPerMinute = 60;

/** The limits of one process. Several analyzers each count for themselves (`docs/limits.md`). */
export function createRateLimits(app: FastifyInstance, limits: RateLimits): RouteRateLimits {
  const byAddress = (request: FastifyRequest): string => rateAddress(request.ip);
  const byCaller = ({ principal, caller, ip }: FastifyRequest): string =>
    principal?.keyId ?? caller?.author.id ?? rateAddress(ip);
  const byScope = ({ principal, ip }: FastifyRequest): string => principal?.scopeId ?? rateAddress(ip);
  const byQueryKey = ({ query, ip }: FastifyRequest): string => {
    const { data } = queriedKeySchema.safeParse(query);
    return data ? hashSecret(data.key) : rateAddress(ip);
  };
  return {
    register: limit(app, limits.registerPerHourPerAddress, hourMs, byAddress),
    analyze: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    unclaimedAnalyze: limit(app, limits.unclaimedAnalysesPerHourPerAddress, hourMs, byAddress),
    preview: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    question: limit(app, limits.analyzePerMinutePerKey, minuteMs, byCaller),
    sourceList: limit(app, limits.sourceListsPerMinutePerOrganization, minuteMs, byScope),
    artifact: limit(app, artifactLimits.requestsPerMinutePerOrganization, minuteMs, byScope),
    notificationTest: limit(app, notificationTestsPerMinute, minuteMs, byCaller),
    monitorTest: limit(app, monitorLimits.monitorTestsPerMinute, minuteMs, byCaller),
    checkIn: limit(app, checkInsPerMinute, minuteMs, byQueryKey),
    modelCheck: limit(app, modelChecksPerMinute, minuteMs, byCaller),
    shared: limit(app, shareLimits.sharedReadsPerMinutePerAddress, minuteMs, byAddress),
    signIn: limit(app, limits.signInPerMinutePerAddress, minuteMs, byAddress),
  };
}

/**
 * Wrong operator tokens per address. A token has 256 bits, so this limits the work of checking, not the odds of
 * guessing.
 */
const operatorGuessesPerMinutePerAddress = 20;

/** Counts each wrong token against its address. */
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
