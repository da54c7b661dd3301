import { queryOptions } from "@tanstack/react-query";
import { sourceListSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The releases with uploaded source code, the newest upload first. */
export const sourcesQuery = queryOptions({
  queryKey: ["settings", "sources"],
  queryFn: async ({ signal }) => (await request(sourceListSchema, "/api/sources", { signal })).bundles,
});

/** Removes the source code of a release. */
export async function removeSources(service: string, release: string): Promise<void> {
  const url = `/api/sources/${encodeURIComponent(service)}/${encodeURIComponent(release)}`;
  await request(z.unknown(), url, { method: "DELETE" });
}
