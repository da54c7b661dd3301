import { type AlertList, alertListSchema, type ConversationList, conversationListSchema } from "@whence/protocol";
import type { AlertScope, ConversationScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { conversationLimits } from "../../conversations/conversation-limits.ts";
import { triggerLimits } from "../../triggers/trigger-limits.ts";
import { byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireMember } from "../viewer.ts";
import { knownSource } from "./known-alert-source.ts";

const operations = {
  alerts: {
    operationId: "list_alerts",
    tags: ["triggers"],
    summary: "List the latest 50 alerts of a source, with the incident of each",
    response: { 200: alertListSchema },
    errors: ["WHENCE_ERR_ALERT_SOURCE_UNKNOWN"],
  },
  conversations: {
    operationId: "list_conversations",
    tags: ["triggers"],
    summary: "List the 50 conversations of a source that changed last, with the incident of each",
    response: { 200: conversationListSchema },
    errors: ["WHENCE_ERR_ALERT_SOURCE_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

interface SourceRoute {
  readonly Params: { readonly id: string };
}

/** Routes for the alerts of an organization's sources, and the conversations with their bots, for members. */
export function alertSourceActivityRoutes(
  app: FastifyInstance,
  context: HttpContext<Scoped<AlertScope & ConversationScope>>,
): void {
  const { control } = context;

  app.get<SourceRoute>(
    "/api/alert-sources/:id/alerts",
    { ...byMember, schema: operations.alerts },
    async (request): Promise<AlertList> => {
      const { organizationId } = await requireMember(context, request);
      const { alertSources, alerts } = control.scope(organizationId);
      const { id } = knownSource(await alertSources.find(request.params.id), request.params.id);
      return { alerts: [...(await alerts.list(id, triggerLimits.alertsListedMax))] };
    },
  );

  app.get<SourceRoute>(
    "/api/alert-sources/:id/conversations",
    { ...byMember, schema: operations.conversations },
    async (request): Promise<ConversationList> => {
      const { organizationId } = await requireMember(context, request);
      const { alertSources, conversations } = control.scope(organizationId);
      const { id } = knownSource(await alertSources.find(request.params.id), request.params.id);
      return { conversations: [...(await conversations.list(id, conversationLimits.listedMax))] };
    },
  );
}
