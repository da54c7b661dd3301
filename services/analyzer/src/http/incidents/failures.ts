import { decisionSchema, type FailureList, type FailureSummary, failureListSchema } from "@whence/protocol";
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

const operations = {
  list: {
    operationId: "list_failures",
    tags: ["incidents"],
    summary: "List failures and the decision on each, including those that opened no incident",
    querystring: failuresQuerySchema,
    response: { 200: failureListSchema },
  },
} as const satisfies Record<string, FastifySchema>;

/** `GET /api/failures`: the latest decided first. */
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
