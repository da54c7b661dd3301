import { randomInt } from "node:crypto";
import {
  type ApiKey,
  apiKeySchema,
  type CreatedApiKey,
  createdApiKeySchema,
  type KeyScope,
  newApiKeySchema,
  type SentryProject,
  sentryDsn,
} from "@whence/protocol";
import type { AuditScope, KeyStore, KeySummary, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret, mintSecret, visiblePrefix } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { byMember, byOwner } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember, requireOwner } from "../viewer.ts";
import { recordChange } from "./audit.ts";

const operations = {
  list: {
    operationId: "list_keys",
    tags: ["keys"],
    summary: "List the organization's API keys, without the keys themselves",
    response: { 200: z.object({ keys: z.array(apiKeySchema) }) },
  },
  create: {
    operationId: "create_key",
    tags: ["keys"],
    summary: "Create an API key, which is shown only once",
    body: newApiKeySchema,
    response: { 200: createdApiKeySchema },
  },
  rotate: {
    operationId: "rotate_key",
    tags: ["keys"],
    summary: "Create another API key like this one, which keeps working until it is revoked",
    response: { 200: createdApiKeySchema },
    errors: ["WHENCE_ERR_KEY_NOT_FOUND"],
  },
  revoke: {
    operationId: "revoke_key",
    tags: ["keys"],
    summary: "Revoke an API key",
    response: { 200: z.object({ key_id: z.string() }) },
    errors: ["WHENCE_ERR_KEY_NOT_FOUND"],
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Routes for an organization's API keys: members list them, owners create and revoke them. A key is shown once, when
 * created.
 */
export function keyRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<AuditScope>>): void {
  const { keys } = context.control;

  app.get(
    "/api/keys",
    { ...byMember, schema: operations.list },
    async (request): Promise<{ keys: readonly ApiKey[] }> => {
      const member = await requireMember(context, request);
      return { keys: (await keys.list(member.organizationId)).map(present) };
    },
  );

  app.post("/api/keys", { ...byOwner, schema: operations.create }, async (request): Promise<CreatedApiKey> => {
    requireSameOrigin(request, context);
    const { name, scope, project } = parse(newApiKeySchema, request.body, "body");
    const owner = await requireOwner(context, request);
    return addKey(context, owner, { name, scope, project: project ? { id: newProjectId(), ...project } : null });
  });

  app.post<{ Params: { id: string } }>(
    "/api/keys/:id/rotate",
    { ...byOwner, schema: operations.rotate },
    async (request): Promise<CreatedApiKey> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { id } = request.params;
      const listed = await keys.list(owner.organizationId);
      const former = listed.find((one) => one.id === id && one.agentId === null && one.revokedAt === null);
      const [scope] = former?.scopes ?? [];
      if (!former || !scope) throw analyzerErrors.create("WHENCE_ERR_KEY_NOT_FOUND", [id.slice(0, 60)]);
      return addKey(context, owner, { name: former.name, scope, project: former.project });
    },
  );

  app.delete<{ Params: { id: string } }>(
    "/api/keys/:id",
    { ...byOwner, schema: operations.revoke },
    async (request): Promise<{ key_id: string }> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { id } = request.params;
      const revoked = await keys.revoke(owner.organizationId, id, new Date(context.clock()));
      if (!revoked) throw analyzerErrors.create("WHENCE_ERR_KEY_NOT_FOUND", [id.slice(0, 60)]);
      await recordChange(context, owner, "key.revoked", id);
      return { key_id: id };
    },
  );
}

interface KeyToAdd {
  readonly name: string;
  readonly scope: KeyScope;
  readonly project: SentryProject | null;
}

async function addKey(
  context: HttpContext<KeyStore & Scoped<AuditScope>>,
  owner: Member,
  { name, scope, project }: KeyToAdd,
): Promise<CreatedApiKey> {
  const { organizationId } = owner;
  const key = mintSecret("whk");
  const now = new Date(context.clock());
  const { id } = await context.control.keys.add({
    organizationId,
    name,
    scope,
    now,
    hash: hashSecret(key),
    prefix: visiblePrefix(key),
    ...(project && { project }),
  });
  await recordChange(context, owner, "key.created", `${name} (${scope}, ${visiblePrefix(key)}…)`);
  return { key_id: id, name, scope, api_key: key, dsn: project && sentryDsn(context.appUrl, key, project) };
}

/** Projects have no order: their numbers only tell them apart. */
function newProjectId(): string {
  return String(randomInt(1_000_000_000, 1_000_000_000_000));
}

function present(key: KeySummary): ApiKey {
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    project: key.project,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    agent_id: key.agentId,
  };
}
