import type { FastifyInstance, FastifyRequest } from "fastify";
import { erase } from "../erasure.ts";
import { recordChange } from "./audit.ts";
import type { HttpContext } from "./context.ts";
import { readIncident } from "./incidents.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { requireKey, requireMember, requireOwner } from "./viewer.ts";

/**
 * What is deleted for good. Members delete incidents, and an unclaimed agent its own; owners delete a service, or all of
 * the organization's data. Who did is kept.
 */
export function deletionRoutes(app: FastifyInstance, context: HttpContext): void {
  app.delete<{ Params: { id: string } }>("/api/incidents/:id", async (request): Promise<{ incident_id: string }> => {
    requireSameOrigin(request, context);
    const scopeId = await unclaimedScope(context, request);
    if (scopeId !== null) return removeIncident(context, scopeId, request.params.id);
    const member = await requireMember(context, request);
    const removed = await removeIncident(context, member.organizationId, request.params.id);
    await recordChange(context, member, "incident.deleted", removed.incident_id);
    return removed;
  });

  app.delete<{ Params: { service: string } }>(
    "/api/services/:service",
    async (request): Promise<{ service: string }> => {
      requireSameOrigin(request, context);
      const { service } = request.params;
      const owner = await requireOwner(context, request);
      await erase(context, { scopeId: owner.organizationId, service, now: new Date(context.clock()) });
      await recordChange(context, owner, "service.deleted", service);
      return { service };
    },
  );

  app.delete("/api/organization/data", async (request): Promise<{ organization_id: string }> => {
    requireSameOrigin(request, context);
    const owner = await requireOwner(context, request);
    const { organizationId, organizationName, userId: user } = owner;
    request.log.warn({ organization: organizationId, user }, "an owner deletes all of the organization's data");
    await erase(context, { scopeId: organizationId, service: null, now: new Date(context.clock()) });
    await recordChange(context, owner, "organization.erased", organizationName);
    return { organization_id: organizationId };
  });
}

/** The scope of an agent that nobody has claimed, whose incidents are its own; null for everyone else. */
async function unclaimedScope(context: HttpContext, request: FastifyRequest): Promise<string | null> {
  if (request.headers["x-api-key"] === undefined) return null;
  const { organizationId, scopeId } = await requireKey(context, request);
  return organizationId === null ? scopeId : null;
}

async function removeIncident(context: HttpContext, scopeId: string, id: string): Promise<{ incident_id: string }> {
  const incident = await readIncident(context, scopeId, id);
  await context.control.scope(scopeId).incidents.remove(incident.id);
  return { incident_id: incident.id };
}
