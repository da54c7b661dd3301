import { queryOptions } from "@tanstack/react-query";
import { incidentTelemetrySchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const staleMs = 30_000;

/** The telemetry around an incident. */
export const incidentTelemetryQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "telemetry"],
    queryFn: ({ signal }) =>
      request(incidentTelemetrySchema, `/api/incidents/${encodeURIComponent(id)}/telemetry`, { signal }),
    staleTime: staleMs,
  });
