import { queryOptions } from "@tanstack/react-query";
import { incidentLinksSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const staleMs = 60_000;

/** What belongs to an incident elsewhere: alerts, conversations, and code. */
export const incidentLinksQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "links"],
    queryFn: ({ signal }) => request(incidentLinksSchema, `/api/incidents/${encodeURIComponent(id)}/links`, { signal }),
    staleTime: staleMs,
    retry: false,
  });
