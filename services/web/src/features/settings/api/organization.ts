import { queryOptions } from "@tanstack/react-query";
import { type Organization, organizationSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The owners' settings, and today's usage. */
export const organizationQuery = queryOptions({
  queryKey: ["settings", "organization"],
  queryFn: ({ signal }) => request(organizationSchema, "/api/organization", { signal }),
});

export function changeOrganization(settings: Organization["settings"]): Promise<Organization> {
  return request(organizationSchema, "/api/organization", { method: "PUT", body: { settings } });
}

/** The download path of the organization's data. */
export const organizationExportPath = "/api/organization/export";

export async function deleteOrganizationData(): Promise<void> {
  await request(z.unknown(), "/api/organization/data", { method: "DELETE" });
}
