import type { Decision } from "@whence/protocol";
import type { KnownFailure } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { HttpContext } from "./context.ts";
import { parse } from "./validation.ts";
import { requireScope } from "./viewer.ts";

const listQuerySchema = z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) });

/** A failure, what was decided about it and why: also for those that became no incident. */
interface PresentedFailure {
  readonly fingerprint: string;
  readonly service: string;
  readonly env: string;
  readonly title: string;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly incident_id: string | null;
  readonly decision: Decision;
  readonly decided_at: string;
  readonly decisions: readonly (Decision & { first_at: string; last_at: string; last_event_id: string })[];
}

/** `GET /api/failures`: the latest decided first. */
export function failureRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get("/api/failures", async (request): Promise<{ failures: readonly PresentedFailure[] }> => {
    const scopeId = await requireScope(context, request);
    const { limit } = parse(listQuerySchema, request.query, "query");
    const { failures } = context.control.scope(scopeId);
    const known = await failures.list({ limit });
    return { failures: await Promise.all(known.map((failure) => present(failure))) };

    async function present(failure: KnownFailure): Promise<PresentedFailure> {
      const decisions = await failures.decisions(failure.fingerprint, failure.env);
      return {
        fingerprint: failure.fingerprint,
        service: failure.service,
        env: failure.env,
        title: failure.title,
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
  });
}
