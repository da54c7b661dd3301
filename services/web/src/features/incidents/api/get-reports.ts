import { queryOptions } from "@tanstack/react-query";
import { reportVersionsSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Every version of an incident's report up to the given one, newest first. */
export const reportVersionsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ["incident", id, "reports", version],
    queryFn: ({ signal }) =>
      request(reportVersionsSchema, `/api/incidents/${encodeURIComponent(id)}/reports`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
