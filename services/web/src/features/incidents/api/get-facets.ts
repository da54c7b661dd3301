import { queryOptions } from "@tanstack/react-query";
import { minuteMs } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const facetsSchema = z.object({ services: z.array(z.string()), envs: z.array(z.string()) });
const staleMs = minuteMs;

/** The values that incidents can be filtered by. */
export const incidentFacetsQuery = queryOptions({
  queryKey: ["incidents", "facets"],
  queryFn: ({ signal }) => request(facetsSchema, "/api/incidents/facets", { signal }),
  staleTime: staleMs,
});
