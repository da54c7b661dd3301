import type { AuditScope, ErasureStore, FailureScope, IncidentScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { erase } from "../../erasure.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { memberCaller, requireMember, requireOwner } from "../viewer.ts";
import { unknownIncident } from "./visible-incident.ts";

const operations = {
  incident: {
    operationId: "delete_incident",
    tags: ["incidents"],
    summary: "Delete an incident with its report and its input",
    response: { 200: z.object({ incident_id: z.string() }) },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  service: {
    operationId: "delete_service",
    tags: ["telemetry"],
    summary: "Delete a service with its telemetry and its incidents, in every environment",
    response: { 200: z.object({ service: z.string() }) },
  },
  organizationData: {
    operationId: "delete_organization_data",
    tags: ["organization"],
    summary: "Delete all of the organization's data; the organization, its members, and its audit log stay",
    response: { 200: z.object({ organization_id: z.string() }) },
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Routes for permanent deletion by people: members delete incidents, owners a service or all of the organization's
 * data. The audit log records who. A key can't delete, so that an agent can't make room for more analyses than it has
 * per day.
 */
export function deletionRoutes(
  app: FastifyInstance,
  context: HttpContext<ErasureStore & Scoped<IncidentScope & FailureScope & AuditScope>>,
): void {
  app.delete<{ Params: { id: string } }>(
    "/api/incidents/:id",
    { ...byMember, schema: operations.incident },
    async (request): Promise<{ incident_id: string }> => {
      requireSameOrigin(request, context);
      const member = await requireMember(context, request);
      const { id } = request.params;
      const { scopeId, actor } = memberCaller(member);
      if (!(await context.control.scope(scopeId).incidents.remove(id, actor, new Date(context.clock()))))
        throw unknownIncident(id);
      await recordChange(context, member, "incident.deleted", id);
      return { incident_id: id };
    },
  );

  app.delete<{ Params: { service: string } }>(
    "/api/services/:service",
    { ...byOwner, schema: operations.service },
    async (request): Promise<{ service: string }> => {
      requireSameOrigin(request, context);
      const { service } = request.params;
      const owner = await requireOwner(context, request);
      const { scopeId, actor: by } = memberCaller(owner);
      await erase(context, { scopeId, service, by, now: new Date(context.clock()) });
      await recordChange(context, owner, "service.deleted", service);
      return { service };
    },
  );

  app.delete(
    "/api/organization/data",
    { ...byOwner, schema: operations.organizationData },
    async (request): Promise<{ organization_id: string }> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { organizationId, organizationName, userId: user } = owner;
      request.log.warn({ organization: organizationId, user }, "an owner deletes all of the organization's data");
      const { actor: by } = memberCaller(owner);
      await erase(context, { scopeId: organizationId, service: null, by, now: new Date(context.clock()) });
      await recordChange(context, owner, "organization.erased", organizationName);
      return { organization_id: organizationId };
    },
  );
}
