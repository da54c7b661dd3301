import {
  type CreatedShare,
  createdShareSchema,
  hourMs,
  type Incident,
  type IncidentShare,
  incidentShareSchema,
  newShareSchema,
  type Report,
  type SharedReport,
  sharedReportSchema,
  sharedTokenSchema,
  shareLimits,
  type WhenceError,
} from "@whence/protocol";
import type { IncidentScope, Scoped, ShareScope, ShareStore, StoredShare } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret, mintSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import { byAnyone, byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { memberCaller, requireMember } from "../viewer.ts";
import { sharedReport } from "./shared-report.ts";
import { presentIncident, readIncident, unknownIncident } from "./visible-incident.ts";

const operations = {
  list: {
    operationId: "list_incident_shares",
    tags: ["incidents"],
    summary: "List the links by which people without an account read an incident's report, newest first",
    response: { 200: z.object({ shares: z.array(incidentShareSchema) }) },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  create: {
    operationId: "share_incident",
    tags: ["incidents"],
    summary: "Create a link by which people without an account read an incident's report; it is shown only once",
    body: newShareSchema,
    response: { 200: createdShareSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_REPORT_MISSING", "WHENCE_ERR_SHARES_FULL"],
  },
  revoke: {
    operationId: "revoke_incident_share",
    tags: ["incidents"],
    summary: "Revoke a link to an incident's report",
    response: { 200: z.object({ share_id: z.string() }) },
    errors: ["WHENCE_ERR_SHARE_UNKNOWN"],
  },
  read: {
    operationId: "read_shared_report",
    tags: ["incidents"],
    summary: "Read the report that a link leads to, without an account",
    body: sharedTokenSchema,
    response: { 200: sharedReportSchema },
    errors: ["WHENCE_ERR_SHARE_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<ShareStore & Scoped<IncidentScope & ShareScope>>;

/** Routes for the links to reports: members make, list, and revoke them; anyone with one reads that report. */
export function shareRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  const { control, clock, appUrl } = context;

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/shares",
    { ...byMember, schema: operations.list },
    async (request): Promise<{ shares: readonly IncidentShare[] }> => {
      const member = await requireMember(context, request);
      const { id } = await readIncident(context, memberCaller(member), request.params.id);
      const shares = await control.scope(member.organizationId).shares.list(id, new Date(clock()));
      return { shares: shares.map(present) };
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/shares",
    { ...byMember, schema: operations.create },
    async (request): Promise<CreatedShare> => {
      requireSameOrigin(request, context);
      const caller = memberCaller(await requireMember(context, request));
      const { hours } = parse(newShareSchema, request.body, "body");
      const { id } = requireReport(await readIncident(context, caller, request.params.id));
      const token = mintSecret("whs");
      const now = new Date(clock());
      const added = await control.scope(caller.scopeId).shares.add({
        incidentId: id,
        tokenHash: hashSecret(token),
        by: caller.actor,
        now,
        expiresAt: new Date(now.getTime() + hours * hourMs),
        perIncidentMax: shareLimits.sharesPerIncidentMax,
        perScopeMax: shareLimits.sharesPerOrganizationMax,
      });
      if (added.outcome === "unknown") throw unknownIncident(id);
      if (added.outcome === "full") {
        const whose = added.of === "incident" ? `incident ${id}` : "the organization";
        throw analyzerErrors.create("WHENCE_ERR_SHARES_FULL", [whose, added.max]);
      }
      // After `#`, where browsers keep it: it reaches no log of a proxy, and no other site.
      return { share: present(added.share), url: `${appUrl}/shared#${token}` };
    },
  );

  app.delete<{ Params: { id: string; share: string } }>(
    "/api/incidents/:id/shares/:share",
    { ...byMember, schema: operations.revoke },
    async (request): Promise<{ share_id: string }> => {
      requireSameOrigin(request, context);
      const { scopeId, actor } = memberCaller(await requireMember(context, request));
      const { id, share } = request.params;
      const isRevoked = await control.scope(scopeId).shares.revoke(id, share, actor, new Date(clock()));
      if (!isRevoked) throw unknownShare();
      return { share_id: share };
    },
  );

  app.post("/api/shared", { ...byAnyone, schema: operations.read }, async (request, reply): Promise<SharedReport> => {
    await rateLimits.shared(request, reply);
    const { token } = parse(sharedTokenSchema, request.body, "body");
    const shared = await control.sharedReports.open(hashSecret(token), new Date(clock()));
    const stored = shared && (await control.scope(shared.scopeId).incidents.find(shared.incidentId));
    if (!shared || !stored?.report) throw unknownShare();
    reply.header("cache-control", "no-store").header("x-robots-tag", "noindex");
    return sharedReport(presentIncident(context, stored), stored.report, shared.expiresAt);
  });
}

function unknownShare(): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_SHARE_UNKNOWN");
}

function requireReport(incident: Incident): Incident & { readonly report: Report } {
  const { id, report } = incident;
  if (!report) throw analyzerErrors.create("WHENCE_ERR_REPORT_MISSING", [id]);
  return { ...incident, report };
}

function present({ id, createdAt, createdBy, expiresAt, opened, lastOpenedAt }: StoredShare): IncidentShare {
  return {
    id,
    created_at: createdAt,
    created_by: createdBy,
    expires_at: expiresAt,
    opened,
    last_opened_at: lastOpenedAt,
  };
}
