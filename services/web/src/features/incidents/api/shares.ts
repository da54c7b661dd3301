import { queryOptions } from "@tanstack/react-query";
import { type CreatedShare, createdShareSchema, incidentShareSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const sharesSchema = z.object({ shares: z.array(incidentShareSchema) });
const pathOf = (id: string): string => `/api/incidents/${encodeURIComponent(id)}/shares`;

/** The links to an incident's report that still work. */
export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "shares"],
    queryFn: async ({ signal }) => (await request(sharesSchema, pathOf(id), { signal })).shares,
  });

/** Creates a link that expires after `hours`. */
export function shareIncident(id: string, hours: number): Promise<CreatedShare> {
  return request(createdShareSchema, pathOf(id), { method: "POST", body: { hours } });
}

/** Revokes a link. */
export async function revokeShare(id: string, shareId: string): Promise<void> {
  await request(z.unknown(), `${pathOf(id)}/${encodeURIComponent(shareId)}`, { method: "DELETE" });
}
