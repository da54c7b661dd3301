import { type ServiceDetail, serviceDetailSchema, serviceSpanNames } from "@whence/protocol";
import type { IncidentScope, KeyStore, OrganizationStore, ReleaseScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireScope } from "../viewer.ts";
import { readService } from "./read-service.ts";

const nameLengthMax = 200;
/** Characters of a name in an error. */
const nameShown = 60;

const serviceQuerySchema = z.object({
  env: z.string().min(1).max(nameLengthMax).optional(),
  span: z.enum(serviceSpanNames).default("24h"),
});

const operations = {
  read: {
    operationId: "get_service",
    tags: ["telemetry"],
    summary: "Get how a service did: its failures, requests, memory, processes, releases, and open incidents",
    querystring: serviceQuerySchema,
    response: { 200: serviceDetailSchema },
    errors: ["WHENCE_ERR_SERVICE_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

/** `GET /api/services/{service}`: how one service did over a span. */
export function serviceDetailRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & OrganizationStore & Scoped<IncidentScope & ReleaseScope>>,
): void {
  app.get<{ Params: { service: string } }>(
    "/api/services/:service",
    { ...byKeyOrMember("read"), schema: operations.read },
    async (request): Promise<ServiceDetail> => {
      const { control, events, clock } = context;
      const scopeId = await requireScope(context, request);
      const { service } = request.params;
      const { env, span } = parse(serviceQuerySchema, request.query, "query");
      const { retentionDays } = await control.organizations.settings(scopeId);
      const question = {
        service,
        env,
        span,
        now: clock(),
        retentionDays: retentionDays ?? context.retentionDays,
      };
      const found = await readService(events.forScope(scopeId), control.scope(scopeId), question);
      if (found) return found;
      const place = env === undefined ? "" : ` in ${env.slice(0, nameShown)}`;
      throw analyzerErrors.create("WHENCE_ERR_SERVICE_UNKNOWN", [service.slice(0, nameShown), place]);
    },
  );
}
