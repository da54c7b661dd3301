import { queryOptions } from "@tanstack/react-query";
import { type Integration, type IntegrationKindName, integrationListSchema, integrationSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** What can be connected, and what is; never a credential. */
export const integrationsQuery = queryOptions({
  queryKey: ["settings", "integrations"],
  queryFn: ({ signal }) => request(integrationListSchema, "/api/integrations", { signal }),
});

/** Leads to the vendor, where the owner authorizes, for the account that is named; the vendor sends them back. */
export async function authorize(kind: IntegrationKindName, account: string | null = null): Promise<void> {
  const answer = z.object({ authorize_url: z.url({ protocol: /^https?$/ }) });
  const url = `/api/integrations/${kind}/authorization`;
  const { authorize_url: address } = await request(answer, url, { method: "POST", body: { account } });
  location.assign(address);
}

/** Asks the vendor of a connected kind whether its credentials still work. */
export function verify(kind: IntegrationKindName): Promise<Integration> {
  return request(integrationSchema, `/api/integrations/${kind}/verify`, { method: "POST" });
}

/** Connects a kind, or replaces what was entered for it, once its vendor has confirmed it. */
export function connect(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): Promise<Integration> {
  return request(integrationSchema, `/api/integrations/${kind}`, { method: "PUT", body: inputs });
}

/** Has the service forget what was entered. */
export async function disconnect(kind: IntegrationKindName): Promise<void> {
  await request(z.unknown(), `/api/integrations/${kind}`, { method: "DELETE" });
}
