import rateLimit from "@fastify/rate-limit";
import type { Principal } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { requireStatedAccess } from "./http/access.ts";
import { accountRoutes } from "./http/account.ts";
import { agentRoutes } from "./http/agents.ts";
import { alertSourceActivityRoutes } from "./http/alert-source-activity.ts";
import { alertSourceRoutes } from "./http/alert-sources.ts";
import { analysisPreviewRoutes, analyzeRoutes } from "./http/analyze.ts";
import { auditRoutes } from "./http/audit.ts";
import { BodyPlaces } from "./http/body-places.ts";
import type { HttpContext } from "./http/context.ts";
import { countRequests } from "./http/count-requests.ts";
import { deletionRoutes } from "./http/deletion.ts";
import { deliveryRoutes } from "./http/deliveries.ts";
import { answerError, answerUnknownRoute } from "./http/error-handler.ts";
import { exportRoutes } from "./http/export.ts";
import { failureRoutes } from "./http/failures.ts";
import { feedbackRoutes } from "./http/feedback.ts";
import { incidentFollowUpRoutes } from "./http/incident-follow-ups.ts";
import { incidentQuestionRoutes } from "./http/incident-questions.ts";
import { incidentRoutes } from "./http/incidents.ts";
import { instructionRoutes } from "./http/instructions.ts";
import { integrationAuthorizationRoutes } from "./http/integration-authorization.ts";
import { integrationRoutes } from "./http/integrations.ts";
import { keyRoutes } from "./http/keys.ts";
import { notificationRuleRoutes } from "./http/notification-rules.ts";
import { openapiRoutes } from "./http/openapi.ts";
import { organizationRoutes } from "./http/organization.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { releaseRoutes } from "./http/releases.ts";
import { serviceRoutes } from "./http/services.ts";
import { sessionRoutes } from "./http/session.ts";
import { type SetupLink, setupRoutes } from "./http/setup.ts";
import { sourceRoutes } from "./http/sources.ts";
import { splitOffRoutes } from "./http/split-off.ts";
import { thresholdRoutes } from "./http/thresholds.ts";
import type { Caller } from "./http/viewer.ts";
import { webhookRoutes } from "./http/webhooks.ts";
import type { WebBundle } from "./web/bundle.ts";
import { clientRoutes, type ServedClients } from "./web/clients.ts";
import { documentationRoutes } from "./web/documentation.ts";
import { webRoutes } from "./web/routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The owner of the request's key, once its route has read it. */
    principal: Principal | null;
    /** Who makes the request, by key or session, once its route has read it. */
    caller: Caller | null;
  }
}

/** Build results that the service serves; null where nothing was built. */
export interface BuiltFiles {
  readonly bundle: WebBundle | null;
  readonly documentation: WebBundle | null;
  readonly clients: ServedClients | null;
}

/**
 * The analyzer's HTTP interface, as a Fastify plugin that the composition root mounts. Paths of build results that are
 * missing say so.
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
    // A body may have any field names. These two could pollute prototypes, and no schema reads them, so they are removed.
    app.addContentTypeParser("application/json", { parseAs: "string" }, app.getDefaultJsonParser("remove", "remove"));
    app.setErrorHandler(answerError);
    requireStatedAccess(app);
    countRequests(app, context.metrics);
    app.setNotFoundHandler(answerUnknownRoute);
    await app.register(rateLimit, { global: false });
    const rateLimits = createRateLimits(app, context.limits);
    const bodies = new BodyPlaces();
    // Before the routes that it describes.
    await openapiRoutes(app, context);

    await app.register(async (scope) => analyzeRoutes(scope, context, rateLimits, bodies));
    analysisPreviewRoutes(app, context, rateLimits, bodies);
    agentRoutes(app, context, rateLimits);
    incidentRoutes(app, context);
    incidentFollowUpRoutes(app, context, rateLimits);
    incidentQuestionRoutes(app, context, rateLimits);
    splitOffRoutes(app, context);
    feedbackRoutes(app, context);
    failureRoutes(app, context);
    deliveryRoutes(app, context);
    serviceRoutes(app, context);
    sourceRoutes(app, context, rateLimits, bodies);
    releaseRoutes(app, context);
    keyRoutes(app, context);
    organizationRoutes(app, context);
    thresholdRoutes(app, context);
    instructionRoutes(app, context);
    integrationRoutes(app, context);
    integrationAuthorizationRoutes(app, context);
    alertSourceRoutes(app, context);
    alertSourceActivityRoutes(app, context);
    await app.register(async (scope) => webhookRoutes(scope, context));
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
