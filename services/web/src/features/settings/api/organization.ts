import { queryOptions } from "@tanstack/react-query";
import { type Organization, organizationSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** What the owners decided, and what was used today. */
export const organizationQuery = queryOptions({
  queryKey: ["settings", "organization"],
  queryFn: ({ signal }) => request(organizationSchema, "/api/organization", { signal }),
});

export function changeOrganization(settings: Organization["settings"]): Promise<Organization> {
  return request(organizationSchema, "/api/organization", { method: "PUT", body: { settings } });
}

/** Where the organization's data is downloaded from. */
export const organizationExportPath = "/api/organization/export";

export async function deleteOrganizationData(): Promise<void> {
  await request(z.unknown(), "/api/organization/data", { method: "DELETE" });
}
