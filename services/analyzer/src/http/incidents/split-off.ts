import { type Incident, incidentSchema } from "@whence/protocol";
import type { AuditScope, FailureScope, IncidentScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { openForSplitOff } from "../../incidents/open-incident.ts";
import { byMember } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { memberCaller, requireMember } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

/** Selects one of the incident's joined failures. */
const splitOffSchema = z.object({ fingerprint: z.string().min(1).max(200) });

const operations = {
  splitOff: {
    operationId: "split_off_failure",
    tags: ["incidents"],
    summary: "Move a failure that joined the incident to an incident of its own, permanently",
    body: splitOffSchema,
    response: { 201: incidentSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_JOINED_FAILURE_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Gives a failure that joined an incident by mistake its own incident, permanently. Only people can do that, and the
 * audit log records who did.
 */
export function splitOffRoutes(
  app: FastifyInstance,
  context: HttpContext<Scoped<IncidentScope & FailureScope & AuditScope>>,
): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/split-off",
    { ...byMember, schema: operations.splitOff },
    async (request, reply): Promise<Incident> => {
      requireSameOrigin(request, context);
      const { fingerprint } = parse(splitOffSchema, request.body, "body");
      const member = await requireMember(context, request);
      const scopeId = member.organizationId;
      const caller = memberCaller(member);
      const { id, joined_failures: joined = [] } = await readIncident(context, caller, request.params.id);
      const failure = joined.find((one) => one.fingerprint === fingerprint);
      const stored = failure && (await context.events.forScope(scopeId).event(failure.event_id));
      if (failure && !stored) throw analyzerErrors.create("WHENCE_ERR_EVENT_MISSING", [failure.event_id]);
      const mechanism = stored?.event.mechanism ?? { type: "", handled: true };
      const event = { id: failure?.event_id ?? "", mechanism: mechanism.type, handled: mechanism.handled };
      const origin = { kind: "split-off", incidentId: id, fingerprint, event, by: caller.actor } as const;
      const split = await openForSplitOff(context, scopeId, origin);
      if (!split) throw analyzerErrors.create("WHENCE_ERR_JOINED_FAILURE_UNKNOWN", [fingerprint.slice(0, 60), id]);
      await recordChange(context, member, "failure.split-off", `${split.service}: ${split.title}`.slice(0, 200));
      reply.code(201);
      return readIncident(context, caller, split.id);
    },
  );
}
