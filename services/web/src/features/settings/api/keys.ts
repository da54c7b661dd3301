import { queryOptions } from "@tanstack/react-query";
import { apiKeySchema, type CreatedApiKey, createdApiKeySchema, keyScopeSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The organization's keys, including those of its agents. */
export const keysQuery = queryOptions({
  queryKey: ["settings", "keys"],
  queryFn: ({ signal }) => request(z.object({ keys: z.array(apiKeySchema) }), "/api/keys", { signal }),
});

/** Only this response contains the key. */
export function createKey(name: string, scope: string): Promise<CreatedApiKey> {
  const body = { name, scope: keyScopeSchema.parse(scope) };
  return request(createdApiKeySchema, "/api/keys", { method: "POST", body });
}

export async function revokeKey(id: string): Promise<void> {
  await request(z.unknown(), `/api/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
}
