import { type ApiKey, apiKeySchema, type CreatedApiKey, createdApiKeySchema, newApiKeySchema } from "@whence/protocol";
import type { AuditScope, KeyStore, KeySummary, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret, mintSecret, visiblePrefix } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
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
    const { name, scope } = parse(newApiKeySchema, request.body, "body");
    const owner = await requireOwner(context, request);
    const { organizationId } = owner;
    const key = mintSecret("whk");
    const now = new Date(context.clock());
    const { id } = await keys.add({
      ...{ organizationId, name, scope, now },
      ...{ hash: hashSecret(key), prefix: visiblePrefix(key) },
    });
    await recordChange(context, owner, "key.created", `${name} (${scope}, ${visiblePrefix(key)}…)`);
    return { key_id: id, name, scope, api_key: key };
  });

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

function present(key: KeySummary): ApiKey {
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    agent_id: key.agentId,
  };
}
