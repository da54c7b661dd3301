import {
  type Integration,
  type IntegrationKind,
  type IntegrationKindName,
  integrationInputsSchema,
  integrationKindName,
  integrationKinds,
  integrationSchema,
  isSecretInput,
} from "@whence/protocol";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { byMember, byOwner } from "./access.ts";
import { recordChange } from "./audit.ts";
import type { HttpContext } from "./context.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { parse } from "./validation.ts";
import { requireMember, requireOwner } from "./viewer.ts";

interface KindRoute {
  readonly Params: { readonly kind: string };
}

/** The kinds that are connected by entering something. */
const enteredKinds = Object.entries<IntegrationKind>(integrationKinds).flatMap(([name, { inputs }]) =>
  inputs.length > 0 ? (integrationKindName(name) ?? []) : [],
);

/** What is entered, once for all kinds that take the same. */
const enteredInputs = new Map(
  enteredKinds.map(integrationInputsSchema).map((schema) => [JSON.stringify(z.toJSONSchema(schema)), schema]),
);

const operations = {
  list: {
    operationId: "list_integrations",
    tags: ["integrations"],
    summary: "List connected third parties, without their credentials",
    response: { 200: z.object({ integrations: z.array(integrationSchema) }) },
  },
  connect: {
    operationId: "connect_integration",
    tags: ["integrations"],
    summary: "Connect a third party, or replace what is connected",
    body: z.union([...enteredInputs.values()]),
    response: { 200: integrationSchema },
    errors: ["WHENCE_ERR_INTEGRATION_UNKNOWN", "WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION"],
  },
  disconnect: {
    operationId: "disconnect_integration",
    tags: ["integrations"],
    summary: "Disconnect a third party and delete its credentials",
    response: { 200: z.object({ kind: z.string() }) },
    errors: ["WHENCE_ERR_INTEGRATION_UNKNOWN", "WHENCE_ERR_INTEGRATION_NOT_CONNECTED"],
  },
} as const satisfies Record<string, FastifySchema>;

/** Third parties: members see what is connected, never a credential; owners connect and disconnect. */
export function integrationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { control, clock } = context;

  app.get(
    "/api/integrations",
    { ...byMember, schema: operations.list },
    async (request): Promise<{ integrations: readonly Integration[] }> => {
      const { organizationId } = await requireMember(context, request);
      return { integrations: await control.scope(organizationId).integrations.list() };
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
      const secretNames = inputs.filter(isSecretInput).map(({ name }) => name);
      const isCredential = ([name]: [string, string]): boolean => secretNames.includes(name);
      const integration = await control.scope(owner.organizationId).integrations.connect({
        kind,
        inputs: Object.fromEntries(Object.entries(values).filter((entry) => !isCredential(entry))),
        credentials: Object.fromEntries(Object.entries(values).filter(isCredential)),
        by: { id: owner.userId, name: owner.name },
        now: new Date(clock()),
      });
      await recordChange(context, owner, "integration.connected", label);
      return integration;
    },
  );

  app.delete<KindRoute>(
    "/api/integrations/:kind",
    { ...byOwner, schema: operations.disconnect },
    async (request): Promise<{ kind: string }> => {
      requireSameOrigin(request, context);
      const kind = kindOf(request.params.kind);
      const owner = await requireOwner(context, request);
      const removed = await control.scope(owner.organizationId).integrations.disconnect(kind);
      if (!removed) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_CONNECTED", [kind]);
      await recordChange(context, owner, "integration.disconnected", integrationKinds[kind].label);
      return { kind };
    },
  );
}

function kindOf(text: string): IntegrationKindName {
  const kind = integrationKindName(text);
  if (kind === null) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_UNKNOWN", [text.slice(0, 60)]);
  return kind;
}
