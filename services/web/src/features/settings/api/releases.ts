import { queryOptions } from "@tanstack/react-query";
import { releaseListSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The releases reported as live, the latest first. */
export const releasesQuery = queryOptions({
  queryKey: ["settings", "releases"],
  queryFn: async ({ signal }) => (await request(releaseListSchema, "/api/releases", { signal })).releases,
});

/** Removes the reports of a release in all environments. */
export async function removeRelease(service: string, release: string): Promise<void> {
  const url = `/api/releases/${encodeURIComponent(service)}/${encodeURIComponent(release)}`;
  await request(z.unknown(), url, { method: "DELETE" });
}
