import { queryOptions } from "@tanstack/react-query";
import { apiKeySchema, type CreatedApiKey, createdApiKeySchema, type newApiKeySchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The organization's keys, including those of its agents. */
export const keysQuery = queryOptions({
  queryKey: ["settings", "keys"],
  queryFn: ({ signal }) => request(z.object({ keys: z.array(apiKeySchema) }), "/api/keys", { signal }),
});

/** Only this response contains the key. */
export function createKey(body: z.input<typeof newApiKeySchema>): Promise<CreatedApiKey> {
  return request(createdApiKeySchema, "/api/keys", { method: "POST", body });
}

/** Creates a key like another one, which keeps working. Only this response contains it. */
export function rotateKey(id: string): Promise<CreatedApiKey> {
  return request(createdApiKeySchema, `/api/keys/${encodeURIComponent(id)}/rotate`, { method: "POST" });
}

export async function revokeKey(id: string): Promise<void> {
  await request(z.unknown(), `/api/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
}
