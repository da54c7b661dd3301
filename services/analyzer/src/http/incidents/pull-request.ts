import { type Incident, incidentSchema } from "@whence/protocol";
import type { IncidentScope, IntegrationScope, ReleaseScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { openPullRequest } from "../../pull-requests/open-pull-request.ts";
import { byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { memberCaller, requireMember } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

const operation = {
  operationId: "open_pull_request",
  tags: ["incidents"],
  summary: "Open the report's patch as a draft pull request at the connected code host; an existing one is kept",
  response: { 200: incidentSchema },
  errors: [
    "WHENCE_ERR_INCIDENT_UNKNOWN",
    "WHENCE_ERR_PATCH_MISSING",
    "WHENCE_ERR_CODE_HOST_NOT_CONNECTED",
    "WHENCE_ERR_PULL_REQUEST_REFUSED",
    "WHENCE_ERR_CODE_HOST_FAILED",
    "WHENCE_ERR_PATCH_CODE_DIFFERS",
    "WHENCE_ERR_PATCH_OUTDATED",
    "WHENCE_ERR_PATCH_FILE_MISSING",
    "WHENCE_ERR_PATCH_FILE_NOT_TEXT",
    "WHENCE_ERR_PATCH_LINE_ENDINGS",
    "WHENCE_ERR_BRANCH_TAKEN",
  ],
} as const satisfies FastifySchema;

/** `POST /api/incidents/:id/pull-request`, by a member's session alone: no key makes the service write to a repository. */
export function pullRequestRoutes(
  app: FastifyInstance,
  context: HttpContext<Scoped<IncidentScope & IntegrationScope & ReleaseScope>>,
): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/pull-request",
    { ...byMember, schema: operation },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = memberCaller(await requireMember(context, request));
      const incident = await readIncident(context, caller, request.params.id);
      await openPullRequest(context, caller, incident);
      return readIncident(context, caller, incident.id);
    },
  );
}
