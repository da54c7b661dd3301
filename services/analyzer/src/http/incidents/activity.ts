import { type ActivityPage, activityPageSchema } from "@whence/protocol";
import type { IncidentScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

const cursorLengthMax = 60;
const querySchema = z.object({
  /** The `next` of the previous page. */
  before: z.string().max(cursorLengthMax).optional(),
});

const operation = {
  operationId: "list_incident_activity",
  tags: ["incidents"],
  summary: "List what happened to an incident, newest first",
  querystring: querySchema,
  response: { 200: activityPageSchema },
  errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
} as const satisfies FastifySchema;

/** `GET /api/incidents/:id/activity`: all of it, page by page; the incident itself has the newest page. */
export function activityRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<IncidentScope>>): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/activity",
    { ...byKeyOrMember("analyze", "read"), schema: operation },
    async (request): Promise<ActivityPage> => {
      const caller = await requireCaller(context, request);
      const { before } = parse(querySchema, request.query, "query");
      const { id } = await readIncident(context, caller, request.params.id);
      return context.control.scope(caller.scopeId).incidents.activity(id, before);
    },
  );
}
