import { type Incident, type IncidentTelemetry, incidentSchema, incidentTelemetrySchema } from "@whence/protocol";
import { type IncidentScope, isAgentScope, type KeyStore, type ReleaseScope, type Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { requireCaller } from "../viewer.ts";
import { readIncidentTelemetry } from "./incident-telemetry.ts";
import { readIncident } from "./visible-incident.ts";

const operations = {
  telemetry: {
    operationId: "get_incident_telemetry",
    tags: ["incidents"],
    summary: "Get the telemetry around an incident: how often the failure occurred, where, and what else happened",
    response: { 200: incidentTelemetrySchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  rerun: {
    operationId: "rerun_incident",
    tags: ["incidents"],
    summary: "Run a finished investigation again; the incident keeps its report until the next one",
    response: { 200: incidentSchema },
    errors: [
      "WHENCE_ERR_INCIDENT_UNKNOWN",
      "WHENCE_ERR_INCIDENT_UNDER_WAY",
      "WHENCE_ERR_INPUT_REMOVED",
      "WHENCE_ERR_RATE_LIMITED",
    ],
  },
} as const satisfies Record<string, FastifySchema>;

/** Routes for what can be queried about an incident in addition to its report, and for another investigation. */
export function incidentFollowUpRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<IncidentScope & ReleaseScope>>,
  rateLimits: RouteRateLimits,
): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/telemetry",
    { ...byKeyOrMember("read"), schema: operations.telemetry },
    async (request): Promise<IncidentTelemetry> => {
      const caller = await requireCaller(context, request);
      const incident = await readIncident(context, caller, request.params.id);
      const sources = {
        events: context.events.forScope(caller.scopeId),
        reported: context.control.scope(caller.scopeId).releases,
      };
      return readIncidentTelemetry(sources, incident, context.clock());
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/rerun",
    { ...byKeyOrMember("analyze"), schema: operations.rerun },
    async (request, reply): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      request.caller = caller;
      await rateLimits.analyze(request, reply);
      if (isAgentScope(caller.scopeId)) await rateLimits.unclaimedAnalyze(request, reply);
      const { id } = await readIncident(context, caller, request.params.id);
      const outcome = await context.control.scope(caller.scopeId).incidents.requeue(id);
      if (outcome === "under-way") throw analyzerErrors.create("WHENCE_ERR_INCIDENT_UNDER_WAY", [id]);
      if (outcome === "input-removed") throw analyzerErrors.create("WHENCE_ERR_INPUT_REMOVED", [id]);
      context.relayOutbox();
      return readIncident(context, caller, id);
    },
  );
}
