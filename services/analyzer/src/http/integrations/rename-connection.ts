import {
  connectionQuerySchema,
  connectionTitle,
  type Integration,
  type IntegrationKind,
  integrationKinds,
  integrationSchema,
} from "@whence/protocol";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireOwner } from "../viewer.ts";
import { kindOf } from "./kind-in-path.ts";

const operation = {
  operationId: "rename_integration",
  tags: ["integrations"],
  summary: "Give a connection another name",
  querystring: connectionQuerySchema,
  body: connectionQuerySchema,
  response: { 200: integrationSchema },
  errors: [
    "WHENCE_ERR_INTEGRATION_UNKNOWN",
    "WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION",
    "WHENCE_ERR_INTEGRATION_NOT_CONNECTED",
    "WHENCE_ERR_INTEGRATION_NAME_TAKEN",
  ],
} as const satisfies FastifySchema;

/** Route by which owners give a connection another name. */
export function renameRoute(app: FastifyInstance, context: HttpContext): void {
  app.post<{ Params: { kind: string } }>(
    "/api/integrations/:kind/name",
    { ...byOwner, schema: operation },
    async (request): Promise<Integration> => {
      requireSameOrigin(request, context);
      const kind = kindOf(request.params.kind);
      const { label, inputs }: IntegrationKind = integrationKinds[kind];
      // An application is connected once, without a name.
      if (inputs.length === 0) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION", [label]);
      const owner = await requireOwner(context, request);
      const { name } = parse(connectionQuerySchema, request.query, "query");
      const { name: to } = parse(connectionQuerySchema, request.body, "body");
      const connections = context.control.scope(owner.organizationId).integrations.named(name);
      const renamed = await connections.rename(kind, to, new Date(context.clock()));
      if (renamed === null) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_CONNECTED", [kind]);
      if (renamed === "taken") throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NAME_TAKEN", [label, to]);
      await recordChange(context, owner, "integration.renamed", connectionTitle(renamed));
      return renamed;
    },
  );
}
