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

/** One of the connections of a kind; the empty name is no name. */
export type ConnectionKey = Pick<Integration, "kind" | "name">;

/** Asks the vendor of a connection whether its credentials still work. */
export function verify(connection: ConnectionKey): Promise<Integration> {
  return request(integrationSchema, pathOf(connection, "/verify"), { method: "POST" });
}

/** Connects, or replaces the inputs of the connection with this name, once the vendor has confirmed them. */
export function connect(connection: ConnectionKey, inputs: Readonly<Record<string, string>>): Promise<Integration> {
  return request(integrationSchema, pathOf(connection), { method: "PUT", body: inputs });
}

/** Gives a connection another name. */
export function rename(connection: ConnectionKey, name: string): Promise<Integration> {
  return request(integrationSchema, pathOf(connection, "/name"), { method: "POST", body: { name } });
}

/** Removes the stored inputs. */
export async function disconnect(connection: ConnectionKey): Promise<void> {
  await request(z.unknown(), pathOf(connection), { method: "DELETE" });
}

function pathOf({ kind, name }: ConnectionKey, action = ""): string {
  const query = name === "" ? "" : `?${new URLSearchParams({ name })}`;
  return `/api/integrations/${kind}${action}${query}`;
}
