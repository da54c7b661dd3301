import {
  dayMs,
  decisionSchema,
  type FailureHours,
  type FailureList,
  type FailureSummary,
  failureHoursSchema,
  failureListSchema,
  hourMs,
} from "@whence/protocol";
import type { FailureRepository, FailureScope, KeyStore, KnownFailure, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireScope } from "../viewer.ts";

const ruleLengthMax = 100;

/** The filter of a list of failures. */
const failuresQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  outcome: decisionSchema.shape.outcome.optional(),
  rule: z.string().min(1).max(ruleLengthMax).optional(),
});

/** A page of a list of incidents. */
const fingerprintsMax = 100;
const fingerprintLengthMax = 100;
const fingerprintSchema = z.string().min(1).max(fingerprintLengthMax);

/** No fingerprint, one, or the parameter several times. */
const hoursQuerySchema = z.object({
  fingerprint: z
    .union([fingerprintSchema.transform((one) => [one]), z.array(fingerprintSchema).max(fingerprintsMax)])
    .default([]),
});

const operations = {
  list: {
    operationId: "list_failures",
    tags: ["incidents"],
    summary: "List failures and the decision on each, including those that opened no incident",
    querystring: failuresQuerySchema,
    response: { 200: failureListSchema },
  },
  hours: {
    operationId: "count_failures_by_hour",
    tags: ["incidents"],
    summary: "Count the events of failures by hour and environment, over the last day",
    querystring: hoursQuerySchema,
    response: { 200: failureHoursSchema },
  },
} as const satisfies Record<string, FastifySchema>;

/** Routes for failures: `GET /api/failures`, the latest decided first, and how often each occurred. */
export function failureRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<FailureScope>>): void {
  app.get(
    "/api/failures",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<FailureList> => {
      const scopeId = await requireScope(context, request);
      const filter = parse(failuresQuerySchema, request.query, "query");
      const { failures } = context.control.scope(scopeId);
      const known = await failures.list(filter);
      return { failures: await Promise.all(known.map((failure) => present(failure, failures))) };
    },
  );

  app.get(
    "/api/failures/hours",
    { ...byKeyOrMember("read"), schema: operations.hours },
    async (request): Promise<FailureHours> => {
      const scopeId = await requireScope(context, request);
      const { fingerprint: fingerprints } = parse(hoursQuerySchema, request.query, "query");
      const now = context.clock();
      const from = new Date(Math.floor(now / hourMs) * hourMs - dayMs).toISOString();
      const to = new Date(now + hourMs).toISOString();
      const hours = await context.events.forScope(scopeId).failuresByHour({ fingerprints, from, to });
      return { hours: [...hours] };
    },
  );
}

async function present(failure: KnownFailure, failures: FailureRepository): Promise<FailureSummary> {
  const decisions = await failures.decisions(failure.fingerprint, failure.env);
  return {
    fingerprint: failure.fingerprint,
    service: failure.service,
    env: failure.env,
    title: failure.title,
    events: failure.history.events,
    first_seen: failure.firstSeen,
    last_seen: failure.lastSeen,
    incident_id: failure.incidentId,
    decision: failure.decision,
    decided_at: failure.decidedAt,
    decisions: decisions.map(({ firstAt, lastAt, lastEventId, ...decision }) => ({
      ...decision,
      first_at: firstAt,
      last_at: lastAt,
      last_event_id: lastEventId,
    })),
  };
}
