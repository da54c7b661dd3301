import {
  connectionQuerySchema,
  connectionTitle,
  type Integration,
  type IntegrationKind,
  integrationInputsSchema,
  integrationKindName,
  integrationKinds,
  integrationListSchema,
  integrationSchema,
  type OfferedIntegration,
} from "@whence/protocol";
import { isCodeHost, repositoriesSchema } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember, requireOwner } from "../viewer.ts";
import { checkIntegration, connectIntegration } from "./connect-integration.ts";
import { disconnectIntegration } from "./disconnect-integration.ts";
import { kindOf } from "./kind-in-path.ts";
import { offeredIntegrations } from "./offered-integrations.ts";
import { renameRoute } from "./rename-connection.ts";

interface KindRoute {
  readonly Params: { readonly kind: string };
}

/** The kinds that are connected by entering something. */
const enteredKinds = Object.entries<IntegrationKind>(integrationKinds).flatMap(([name, { inputs }]) =>
  inputs.length > 0 ? (integrationKindName(name) ?? []) : [],
);

/** The inputs of several kinds, described once for all kinds that take the same. */
const enteredInputs = new Map(
  enteredKinds.map(integrationInputsSchema).map((schema) => [JSON.stringify(z.toJSONSchema(schema)), schema]),
);

const operations = {
  list: {
    operationId: "list_integrations",
    tags: ["integrations"],
    summary: "List the third parties that can be connected, and what is connected, without credentials",
    response: { 200: integrationListSchema },
  },
  connect: {
    operationId: "connect_integration",
    tags: ["integrations"],
    summary: "Ask a third party whether what was entered works, and connect it or replace what has the same name",
    querystring: connectionQuerySchema,
    body: z.union([...enteredInputs.values()]),
    response: { 200: integrationSchema },
    errors: [
      "WHENCE_ERR_INTEGRATION_UNKNOWN",
      "WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION",
      "WHENCE_ERR_INTEGRATION_NOT_OFFERED",
      "WHENCE_ERR_INTEGRATION_REFUSED",
      "WHENCE_ERR_INTEGRATION_TOO_MANY",
    ],
  },
  verify: {
    operationId: "verify_integration",
    tags: ["integrations"],
    summary: "Ask a connected third party whether its credentials still work",
    querystring: connectionQuerySchema,
    response: { 200: integrationSchema },
    errors: [
      "WHENCE_ERR_INTEGRATION_UNKNOWN",
      "WHENCE_ERR_INTEGRATION_NOT_CONNECTED",
      "WHENCE_ERR_INTEGRATION_CHECK_FAILED",
    ],
  },
  disconnect: {
    operationId: "disconnect_integration",
    tags: ["integrations"],
    summary: "Disconnect a third party and delete its credentials",
    querystring: connectionQuerySchema,
    response: { 200: z.object({ kind: z.string(), revoked: z.boolean().nullable() }) },
    errors: ["WHENCE_ERR_INTEGRATION_UNKNOWN", "WHENCE_ERR_INTEGRATION_NOT_CONNECTED"],
  },
  repositories: {
    operationId: "assign_repositories",
    tags: ["integrations"],
    summary: "Assign repositories of a connected code host to services",
    body: repositoriesSchema,
    response: { 200: integrationSchema },
    errors: [
      "WHENCE_ERR_INTEGRATION_UNKNOWN",
      "WHENCE_ERR_INTEGRATION_NOT_CONNECTED",
      "WHENCE_ERR_REPOSITORIES_UNKNOWN",
    ],
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Routes for third parties: members see which are connected, never a credential; owners connect, check, and disconnect.
 */
export function integrationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { control } = context;
  renameRoute(app, context);

  app.get(
    "/api/integrations",
    { ...byMember, schema: operations.list },
    async (request): Promise<{ integrations: readonly OfferedIntegration[] }> => {
      const { organizationId } = await requireMember(context, request);
      const connected = await control.scope(organizationId).integrations.list();
      return { integrations: offeredIntegrations(context.integrations, connected) };
    },
  );

  app.put<KindRoute>(
    "/api/integrations/:kind",
    { ...byOwner, schema: operations.connect },
    async (request): Promise<Integration> => {
      requireSameOrigin(request, context);
      const kind = kindOf(request.params.kind);
      const { label, inputs }: IntegrationKind = integrationKinds[kind];
      if (inputs.length === 0) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION", [label]);
      const values = parse(integrationInputsSchema(kind), request.body, "body");
      const owner = await requireOwner(context, request);
      const { name } = parse(connectionQuerySchema, request.query, "query");
      const connected = await connectIntegration(context, owner, { kind, name, values });
      await recordChange(context, owner, "integration.connected", connectionTitle(connected));
      return connected;
    },
  );

  app.post<KindRoute>(
    "/api/integrations/:kind/verify",
    { ...byOwner, schema: operations.verify },
    async (request): Promise<Integration> => {
      requireSameOrigin(request, context);
      const kind = kindOf(request.params.kind);
      const { organizationId } = await requireOwner(context, request);
      const { name } = parse(connectionQuerySchema, request.query, "query");
      const checked = await checkIntegration(context, organizationId, { kind, name });
      if (!checked) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_CONNECTED", [kind]);
      return checked;
    },
  );

  app.delete<KindRoute>(
    "/api/integrations/:kind",
    { ...byOwner, schema: operations.disconnect },
    async (request): Promise<{ kind: string; revoked: boolean | null }> => {
      requireSameOrigin(request, context);
      const kind = kindOf(request.params.kind);
      const owner = await requireOwner(context, request);
      const { name } = parse(connectionQuerySchema, request.query, "query");
      const revoked = await disconnectIntegration(context, owner, { kind, name, log: request.log });
      return { kind, revoked };
    },
  );

  app.put<KindRoute>(
    "/api/integrations/:kind/repositories",
    { ...byOwner, schema: operations.repositories },
    async (request): Promise<Integration> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const kind = kindOf(request.params.kind);
      const { label } = integrationKinds[kind];
      const { repositories } = parse(repositoriesSchema, request.body, "body");
      if (!isCodeHost(kind)) throw analyzerErrors.create("WHENCE_ERR_REPOSITORIES_UNKNOWN", [label]);
      const { integrations } = control.scope(owner.organizationId);
      const connected = (await integrations.list()).find((one) => one.kind === kind && one.name === "");
      const inputs = { ...connected?.inputs, repositories: JSON.stringify(repositories) };
      const changed = connected && (await integrations.changeInputs(kind, inputs));
      if (!changed) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_CONNECTED", [kind]);
      await recordChange(context, owner, "integration.connected", label);
      return changed;
    },
  );
}
