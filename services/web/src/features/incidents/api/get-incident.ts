import { queryOptions } from "@tanstack/react-query";
import { incidentSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** One incident with its report. */
export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id],
    queryFn: ({ signal }) => request(incidentSchema, `/api/incidents/${encodeURIComponent(id)}`, { signal }),
  });
