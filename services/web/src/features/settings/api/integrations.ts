import { queryOptions } from "@tanstack/react-query";
import { type Integration, type IntegrationKindName, integrationListSchema, integrationSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The available and the connected integrations, without credentials. */
export const integrationsQuery = queryOptions({
  queryKey: ["settings", "integrations"],
  queryFn: ({ signal }) => request(integrationListSchema, "/api/integrations", { signal }),
});

/** Redirects to the vendor, where the owner authorizes, for the named account; the vendor redirects back. */
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

/** Connects a kind, or replaces its inputs, once its vendor has confirmed them. */
export function connect(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): Promise<Integration> {
  return request(integrationSchema, `/api/integrations/${kind}`, { method: "PUT", body: inputs });
}

/** Removes the stored inputs. */
export async function disconnect(kind: IntegrationKindName): Promise<void> {
  await request(z.unknown(), `/api/integrations/${kind}`, { method: "DELETE" });
}
