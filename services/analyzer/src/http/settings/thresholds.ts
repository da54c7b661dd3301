import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import type { AuditScope, FailureScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { byKeyOrMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireOwner, requireScope } from "../viewer.ts";

const operations = {
  read: {
    operationId: "get_thresholds",
    tags: ["incidents"],
    summary: "Get the thresholds at which the organization's failures open incidents",
    response: { 200: incidentThresholdsSchema },
  },
  replace: {
    operationId: "replace_thresholds",
    tags: ["incidents"],
    summary: "Replace the thresholds of incidents; a missing one gets its default",
    body: incidentThresholdsSchema,
    response: { 200: incidentThresholdsSchema },
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * The thresholds at which the organization's failures become incidents. Only owners change them: every process that
 * sends telemetry has a key, and a leaked key must not silence alarms.
 */
export function thresholdRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<FailureScope & AuditScope>>,
): void {
  app.get(
    "/api/thresholds",
    { ...byKeyOrMember("read"), schema: operations.read },
    async (request): Promise<IncidentThresholds> => {
      const scopeId = await requireScope(context, request);
      return context.control.scope(scopeId).thresholds.read();
    },
  );

  app.put(
    "/api/thresholds",
    { ...byOwner, schema: operations.replace },
    async (request): Promise<IncidentThresholds> => {
      requireSameOrigin(request, context);
      const wanted = parse(incidentThresholdsSchema, request.body, "body");
      const owner = await requireOwner(context, request);
      const { organizationId: organization, userId: user } = owner;
      const { thresholds } = context.control.scope(organization);
      const before = await thresholds.read();
      await thresholds.replace(wanted);
      request.log.info({ organization, user, before, after: wanted }, "an owner changed the thresholds of incidents");
      await recordChange(context, owner, "thresholds.changed", said(wanted));
      return wanted;
    },
  );
}

function said({ min_events, window_minutes, muted_fingerprints, muted_services }: IncidentThresholds): string {
  const muted = muted_fingerprints.length + muted_services.length;
  return `${min_events} events within ${window_minutes} minutes, ${muted} muted`;
}
