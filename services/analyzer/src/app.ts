import rateLimit from "@fastify/rate-limit";
import { RateWindows } from "@whence/protocol";
import type { Principal } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { requireStatedAccess } from "./http/access.ts";
import { accountRoutes } from "./http/accounts/account.ts";
import { agentRoutes } from "./http/accounts/agents.ts";
import { auditRoutes } from "./http/accounts/audit.ts";
import { keyRoutes } from "./http/accounts/keys.ts";
import { organizationRoutes } from "./http/accounts/organization.ts";
import { sessionRoutes } from "./http/accounts/session.ts";
import { type SetupLink, setupRoutes } from "./http/accounts/setup.ts";
import { alertSourceActivityRoutes } from "./http/alert-sources/alert-source-activity.ts";
import { alertSourceRoutes } from "./http/alert-sources/alert-sources.ts";
import { webhookRoutes } from "./http/alert-sources/webhooks.ts";
import { announcedReleaseRoutes } from "./http/artifacts/announced-releases.ts";
import { artifactRoutes } from "./http/artifacts/artifact-bundles.ts";
import type { HttpContext } from "./http/context.ts";
import { answerError } from "./http/error-handler.ts";
import { activityRoutes } from "./http/incidents/activity.ts";
import { analysisPreviewRoutes, analyzeRoutes } from "./http/incidents/analyze.ts";
import { bulkChangeRoutes } from "./http/incidents/bulk-change.ts";
import { deletionRoutes } from "./http/incidents/deletion.ts";
import { deliveryRoutes } from "./http/incidents/deliveries.ts";
import { exportRoutes } from "./http/incidents/export.ts";
import { failureRoutes } from "./http/incidents/failures.ts";
import { feedbackRoutes } from "./http/incidents/feedback.ts";
import { incidentFollowUpRoutes } from "./http/incidents/incident-follow-ups.ts";
import { incidentLinkRoutes } from "./http/incidents/incident-links.ts";
import { incidentQuestionRoutes } from "./http/incidents/incident-questions.ts";
import { incidentRoutes } from "./http/incidents/incidents.ts";
import { lifecycleRoutes } from "./http/incidents/lifecycle.ts";
import { mergeRoutes } from "./http/incidents/merge.ts";
import { occurrenceRoutes } from "./http/incidents/occurrences.ts";
import { ownerRoutes } from "./http/incidents/owner.ts";
import { placeWatchRoutes } from "./http/incidents/place-watches.ts";
import { pullRequestRoutes } from "./http/incidents/pull-request.ts";
import { reportExportRoutes } from "./http/incidents/report-export.ts";
import { shareRoutes } from "./http/incidents/shares.ts";
import { splitOffRoutes } from "./http/incidents/split-off.ts";
import { integrationAuthorizationRoutes } from "./http/integrations/integration-authorization.ts";
import { integrationRoutes } from "./http/integrations/integrations.ts";
import { BodyPlaces } from "./http/limits/body-places.ts";
import { countRequests } from "./http/limits/count-requests.ts";
import { createRateLimits } from "./http/limits/rate-limits.ts";
import { checkInRoutes } from "./http/monitors/check-ins.ts";
import { monitorActionRoutes } from "./http/monitors/monitor-actions.ts";
import { monitorRoutes } from "./http/monitors/monitors.ts";
import { openapiRoutes } from "./http/openapi/openapi.ts";
import { serviceDetailRoutes } from "./http/services/service.ts";
import { serviceRoutes } from "./http/services/services.ts";
import { instructionRoutes } from "./http/settings/instructions.ts";
import { modelRoutes } from "./http/settings/model.ts";
import { notificationRuleRoutes } from "./http/settings/notification-rules.ts";
import { ownershipRoutes } from "./http/settings/ownership.ts";
import { releaseRoutes } from "./http/settings/releases.ts";
import { sourceRoutes } from "./http/settings/sources.ts";
import { thresholdRoutes } from "./http/settings/thresholds.ts";
import { viewRoutes } from "./http/settings/views.ts";
import type { Caller } from "./http/viewer.ts";
import type { WebBundle } from "./web/bundle.ts";
import { clientRoutes, type ServedClients } from "./web/clients.ts";
import { documentationRoutes } from "./web/documentation.ts";
import { unknownPaths, webRoutes } from "./web/routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The owner of the request's key, once its route has read it. */
    principal: Principal | null;
    /** The key or session that makes the request, once its route has read it. */
    caller: Caller | null;
  }
}

/** Return the latest build results, which the service serves; null while there are none. */
export interface BuiltFiles {
  bundle(): WebBundle | null;
  documentation(): WebBundle | null;
  clients(): ServedClients | null;
}

/**
 * The analyzer's HTTP API, as a Fastify plugin that the composition root mounts. Paths of missing build results respond
 * that they weren't built.
 */
export function analyzerRoutes(
  context: HttpContext,
  setup: SetupLink,
  { bundle, documentation, clients }: BuiltFiles,
): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.decorateRequest("principal", null);
    app.decorateRequest("caller", null);
    app.removeContentTypeParser(["text/plain", "application/json"]);
    // A body may have any field names. These two could pollute prototypes, and no schema uses them, so they are
    // removed.
    app.addContentTypeParser("application/json", { parseAs: "string" }, app.getDefaultJsonParser("remove", "remove"));
    app.setErrorHandler(answerError);
    requireStatedAccess(app);
    countRequests(app, context.metrics);
    app.setNotFoundHandler(unknownPaths(bundle));
    await app.register(rateLimit, { global: false, store: RateWindows });
    const rateLimits = createRateLimits(app, context.limits);
    const bodies = new BodyPlaces();
    // Before the routes that it describes.
    await openapiRoutes(app, context);

    await app.register(async (scope) => analyzeRoutes(scope, context, rateLimits, bodies));
    analysisPreviewRoutes(app, context, rateLimits, bodies);
    agentRoutes(app, context, rateLimits);
    incidentRoutes(app, context);
    incidentFollowUpRoutes(app, context, rateLimits);
    reportExportRoutes(app, context);
    shareRoutes(app, context, rateLimits);
    placeWatchRoutes(app, context);
    occurrenceRoutes(app, context, rateLimits);
    incidentLinkRoutes(app, context);
    incidentQuestionRoutes(app, context, rateLimits);
    lifecycleRoutes(app, context);
    activityRoutes(app, context);
    bulkChangeRoutes(app, context);
    ownerRoutes(app, context);
    splitOffRoutes(app, context);
    mergeRoutes(app, context);
    pullRequestRoutes(app, context);
    feedbackRoutes(app, context);
    failureRoutes(app, context);
    deliveryRoutes(app, context);
    serviceRoutes(app, context);
    serviceDetailRoutes(app, context);
    sourceRoutes(app, context, rateLimits, bodies);
    await app.register(async (scope) => artifactRoutes(scope, context, rateLimits, bodies));
    announcedReleaseRoutes(app, context);
    releaseRoutes(app, context);
    keyRoutes(app, context);
    organizationRoutes(app, context);
    thresholdRoutes(app, context);
    ownershipRoutes(app, context);
    viewRoutes(app, context);
    instructionRoutes(app, context);
    modelRoutes(app, context, rateLimits);
    integrationRoutes(app, context);
    integrationAuthorizationRoutes(app, context);
    alertSourceRoutes(app, context);
    alertSourceActivityRoutes(app, context);
    await app.register(async (scope) => webhookRoutes(scope, context));
    monitorRoutes(app, context);
    monitorActionRoutes(app, context, rateLimits);
    checkInRoutes(app, context, rateLimits);
    notificationRuleRoutes(app, context, rateLimits);
    deletionRoutes(app, context);
    exportRoutes(app, context);
    auditRoutes(app, context);
    accountRoutes(app, context);
    setupRoutes(app, context, rateLimits, setup);
    await app.register((scope) => sessionRoutes(scope, context, rateLimits));
    webRoutes(app, bundle);
    documentationRoutes(app, documentation);
    clientRoutes(app, clients);
  };
}
