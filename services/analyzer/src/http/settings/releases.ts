import {
  limits,
  type ReleaseList,
  type ReportedRelease,
  releaseListSchema,
  releaseReportSchema,
  reportedReleaseSchema,
} from "@whence/protocol";
import type { AuditScope, KeyStore, ReleaseScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byKey, byKeyOrMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { refuseWhenReserved } from "../limits/refuse-when-reserved.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireKey, requireOwner, requireScope } from "../viewer.ts";

const releaseNameSchema = z.object({ service: z.string(), release: z.string() });

const operations = {
  list: {
    operationId: "list_releases",
    tags: ["releases"],
    summary: "List the releases that were reported as live",
    response: { 200: releaseListSchema },
  },
  report: {
    operationId: "report_release",
    tags: ["releases"],
    summary: "Report that a release went live",
    body: releaseReportSchema,
    response: { 200: reportedReleaseSchema },
    errors: ["WHENCE_ERR_DISK_RESERVED"],
  },
  remove: {
    operationId: "remove_release",
    tags: ["releases"],
    summary: "Remove the reports of a release, of all environments",
    response: { 200: releaseNameSchema },
    errors: ["WHENCE_ERR_RELEASE_NOT_REPORTED"],
  },
} as const satisfies Record<string, FastifySchema>;

/** Releases that CI reports as live. They count as deploys, like those seen in telemetry. */
export function releaseRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<ReleaseScope & AuditScope>>,
): void {
  const { control, clock } = context;

  app.get(
    "/api/releases",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<ReleaseList> => {
      const scopeId = await requireScope(context, request);
      return { releases: [...(await control.scope(scopeId).releases.list())] };
    },
  );

  app.post(
    "/api/releases",
    { ...byKey("release"), schema: operations.report },
    async (request, reply): Promise<ReportedRelease> => {
      const { scopeId, keyId: reportedBy } = await requireKey(context, request);
      await refuseWhenReserved(context, reply, "inputs");
      const release = { ...parse(releaseReportSchema, request.body, "body"), reportedBy };
      return control.scope(scopeId).releases.report(release, new Date(clock()), limits.reportedReleasesMax);
    },
  );

  app.delete<{ Params: z.infer<typeof releaseNameSchema> }>(
    "/api/releases/:service/:release",
    { ...byOwner, schema: operations.remove },
    async (request) => {
      requireSameOrigin(request, context);
      const { service, release } = request.params;
      const owner = await requireOwner(context, request);
      const isRemoved = await control.scope(owner.organizationId).releases.remove(service, release);
      if (!isRemoved) {
        throw analyzerErrors.create("WHENCE_ERR_RELEASE_NOT_REPORTED", [service.slice(0, 60), release.slice(0, 60)]);
      }
      await recordChange(context, owner, "release.removed", `${service} ${release}`);
      return { service, release };
    },
  );
}
