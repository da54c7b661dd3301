import { queryOptions } from "@tanstack/react-query";
import { type Integration, type IntegrationKindName, integrationSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** What is connected; never a credential. */
export const integrationsQuery = queryOptions({
  queryKey: ["settings", "integrations"],
  queryFn: ({ signal }) =>
    request(z.object({ integrations: z.array(integrationSchema) }), "/api/integrations", { signal }),
});

/** Connects a kind, or replaces what was entered for it. */
export function connect(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): Promise<Integration> {
  return request(integrationSchema, `/api/integrations/${kind}`, { method: "PUT", body: inputs });
}

/** Has the service forget what was entered. */
export async function disconnect(kind: IntegrationKindName): Promise<void> {
  await request(z.unknown(), `/api/integrations/${kind}`, { method: "DELETE" });
}
