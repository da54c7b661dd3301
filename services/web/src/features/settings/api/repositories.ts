import { queryOptions } from "@tanstack/react-query";
import { type Integration, type IntegrationKindName, integrationSchema, serviceSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The names of the services seen in the last day. */
export const serviceNamesQuery = queryOptions({
  queryKey: ["settings", "service-names"],
  queryFn: async ({ signal }) => {
    const { services } = await request(z.object({ services: z.array(serviceSchema) }), "/api/services", { signal });
    return [...new Set(services.map(({ service }) => service))];
  },
});

/** Replaces the assignment of a code host's repositories to services. */
export function assignRepositories(
  kind: IntegrationKindName,
  repositories: Readonly<Record<string, string>>,
): Promise<Integration> {
  return request(integrationSchema, `/api/integrations/${kind}/repositories`, {
    method: "PUT",
    body: { repositories },
  });
}
