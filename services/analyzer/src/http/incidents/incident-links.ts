import { type IncidentLinks, incidentLinksSchema } from "@whence/protocol";
import type {
  AlertScope,
  ConversationScope,
  IncidentScope,
  IntegrationScope,
  KeyStore,
  MonitorScope,
  ReleaseScope,
  Scoped,
} from "@whence/storage";
import { codeHosts } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { codeLinks } from "../../code-hosts/code-links.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

/** Alerts and conversations of one incident that are listed. */
const joinedMax = 20;

const operation = {
  operationId: "get_incident_links",
  tags: ["incidents"],
  summary: "Get what belongs to an incident elsewhere: its alerts, conversations, and code at the connected code host",
  response: { 200: incidentLinksSchema },
  errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
} as const satisfies FastifySchema;

type LinkedScope = IncidentScope & AlertScope & MonitorScope & ConversationScope & IntegrationScope & ReleaseScope;

const isMonitor = (sourceId: string): boolean => sourceId.startsWith("mon_");

/** `GET /api/incidents/:id/links`, by key or session. Asks the connected code host, which has a few seconds. */
export function incidentLinkRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<LinkedScope>>): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/links",
    { ...byKeyOrMember("read"), schema: operation },
    async (request): Promise<IncidentLinks> => {
      const caller = await requireCaller(context, request);
      const { id, report } = await readIncident(context, caller, request.params.id);
      const { scopeId } = caller;
      const { alerts, conversations, alertSources, monitors, integrations } = context.control.scope(scopeId);
      const [fired, asked, sources, ownMonitors, connected, code] = await Promise.all([
        alerts.ofIncident(id, joinedMax),
        conversations.ofIncident(id, joinedMax),
        alertSources.list(),
        monitors.list(),
        integrations.list(),
        report ? codeLinks({ control: context.control, scopeId }, report, context.integrations) : [],
      ]);
      const nameOf = (sourceId: string): string =>
        [...sources, ...ownMonitors].find((one) => one.id === sourceId)?.name ??
        (isMonitor(sourceId) ? "a deleted monitor" : "a deleted source");
      return {
        alerts: fired.map(({ sourceId, ...alert }) => {
          return { ...alert, source: nameOf(sourceId), source_kind: isMonitor(sourceId) ? "monitor" : "alert-source" };
        }),
        conversations: asked.map(({ sourceId, title, url, asked_at }) => {
          return { title, url, source: nameOf(sourceId), asked_at };
        }),
        code,
        code_hosts: codeHosts.filter(({ kind }) => connected.some((one) => one.kind === kind)).map((one) => one.vendor),
      };
    },
  );
}
