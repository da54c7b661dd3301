import { type Incident, incidentSchema, mergeRequestSchema, type WhenceError } from "@whence/protocol";
import type { IncidentScope, KeyStore, MergeOutcome, MergeScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident, requireVisible, unknownIncident } from "./visible-incident.ts";

const operations = {
  merge: {
    operationId: "merge_incidents",
    tags: ["incidents"],
    summary: "Merge other incidents into an incident, which keeps its report",
    body: mergeRequestSchema,
    response: { 200: incidentSchema },
    errors: [
      "WHENCE_ERR_INCIDENT_UNKNOWN",
      "WHENCE_ERR_INCIDENT_MERGED",
      "WHENCE_ERR_INCIDENT_MERGED_WITH_ITSELF",
      "WHENCE_ERR_INCIDENT_UNDER_INVESTIGATION",
    ],
  },
  unmerge: {
    operationId: "unmerge_incident",
    tags: ["incidents"],
    summary: "Make a merged incident an incident of its own again, with its report and its failures",
    response: { 200: incidentSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_INCIDENT_NOT_MERGED"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & MergeScope>>;

/** Routes for merging incidents and separating them again: by key or session. The audit log records who did. */
export function mergeRoutes(app: FastifyInstance, context: Context): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/merge",
    { ...byKeyOrMember("analyze"), schema: operations.merge },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { ids } = parse(mergeRequestSchema, request.body, "body");
      const { id } = await readIncident(context, caller, request.params.id);
      if (ids.includes(id)) throw analyzerErrors.create("WHENCE_ERR_INCIDENT_MERGED_WITH_ITSELF", [id]);
      for (const other of ids) await requireVisible(context, caller, other);
      const { merges } = context.control.scope(caller.scopeId);
      const refused = refusal(await merges.merge(id, ids, caller.actor, new Date(context.clock())));
      if (refused) throw refused;
      return readIncident(context, caller, id);
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/unmerge",
    { ...byKeyOrMember("analyze"), schema: operations.unmerge },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { id } = await readIncident(context, caller, request.params.id);
      const { merges } = context.control.scope(caller.scopeId);
      const { outcome } = await merges.separate(id, caller.actor, new Date(context.clock()));
      if (outcome === "unknown") throw unknownIncident(id);
      if (outcome === "not-merged") throw analyzerErrors.create("WHENCE_ERR_INCIDENT_NOT_MERGED", [id]);
      return readIncident(context, caller, id);
    },
  );
}

/** The error for a merge that wasn't made. */
function refusal(result: MergeOutcome): WhenceError | null {
  switch (result.outcome) {
    case "changed":
      return null;
    case "unknown":
      return unknownIncident(result.id);
    case "merged":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_MERGED", [result.id, result.into]);
    case "under-investigation":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_UNDER_INVESTIGATION", [result.id]);
  }
}
