import { queryOptions } from "@tanstack/react-query";
import { type Organization, organizationSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** What the owners decided, and what was used today. */
export const organizationQuery = queryOptions({
  queryKey: ["settings", "organization"],
  queryFn: ({ signal }) => request(organizationSchema, "/api/organization", { signal }),
});

export function changeOrganization(settings: Organization["settings"]): Promise<Organization> {
  return request(organizationSchema, "/api/organization", { method: "PUT", body: { settings } });
}
